package dev.sluice.cli.demo;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A request's body, by its length or in chunks (RFC 9112 section 7.1); ends where the body ends. */
final class HttpBody extends InputStream {
    private static final int CHUNK_LINE_MAX = 1024;

    private final InputStream input;
    private final boolean chunked;
    private long left;
    private boolean ended;

    private HttpBody(InputStream input, boolean chunked, long left) {
        this.input = input;
        this.chunked = chunked;
        this.left = left;
    }

    static HttpBody ofLength(InputStream input, long length) {
        return new HttpBody(input, false, length);
    }

    static HttpBody chunked(InputStream input) {
        return new HttpBody(input, true, 0);
    }

    /** Reads and drops what is left of the body. */
    void skipRest() throws IOException {
        transferTo(OutputStream.nullOutputStream());
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (ended || !hasMore()) {
            ended = true;
            return -1;
        }
        int read = input.read(into, offset, (int) Math.min(length, left));
        if (read < 0) {
            throw new EOFException("the connection ended with " + left + " bytes of a body to come");
        }
        left -= read;
        if (chunked && left == 0) {
            line();
        }
        return read;
    }

    private boolean hasMore() throws IOException {
        if (left > 0 || !chunked) {
            return left > 0;
        }
        String size = line();
        int extension = size.indexOf(';');
        try {
            left = Long.parseLong(extension < 0 ? size : size.substring(0, extension), 16);
        } catch (NumberFormatException bad) {
            throw new IOException("not a chunk's size: \"" + size + '"', bad);
        }
        if (left > 0) {
            return true;
        }
        skipTrailers();
        return false;
    }

    private void skipTrailers() throws IOException {
        String trailer = line();
        while (!trailer.isEmpty()) {
            trailer = line();
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        int next = input.read();
        while (next != '\n') {
            if (next < 0 || line.length() > CHUNK_LINE_MAX) {
                throw new EOFException("the connection ended, or a line was too long, inside a chunked body");
            }
            if (next != '\r') {
                line.append((char) next);
            }
            next = input.read();
        }
        return line.toString();
    }
}
