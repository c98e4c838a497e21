package dev.sluice.gateway.admin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A reader of one HTTP/1.1 request (RFC 9112) up to its last byte, within limits. Strict where leniency has led to
 * vulnerabilities: no folded lines, no space before a colon, no control character in a line, a single length.
 */
final class RequestReader {
    /** Nobody has to send a body; what a client sends all the same may be this long. */
    static final int BODY_BYTES_MAX = 1024;

    /** Request line and headers. */
    static final int HEAD_BYTES_MAX = 16 * 1024;

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern ABSOLUTE = Pattern.compile("[Hh][Tt][Tt][Pp][Ss]?://[^/?]*");
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0a-\\x1f\\x7f]");
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");
    private static final Pattern CHUNK = Pattern.compile("([0-9A-Fa-f]{1,8})[ \\t]*(;.*)?");

    /** The headers that must not occur more than once. */
    private static final Set<String> ONCE =
            Set.of("host", "content-length", "transfer-encoding", "authorization", "origin");

    /** A length of nine digits is too long, and fits into an int. */
    private static final int LENGTH_DIGITS_MAX = 9;

    private final InputStream input;
    private int headBytes;

    RequestReader(InputStream input) {
        this.input = input;
    }

    /**
     * Reads it, its body included, which nobody needs.
     *
     * @return null when the client has ended without a byte
     * @throws BadRequestException when it is to be answered, by that, and read no further
     * @throws IOException when the client goes in the middle
     */
    @Nullable
    AdminRequest read() throws IOException, BadRequestException {
        String first = line();
        if (first == null) {
            return null;
        }
        String[] parts = first.split(" ", -1);
        if (parts.length != 3 || !TOKEN.matcher(parts[0]).matches()) {
            throw new BadRequestException(400, "this is no request of HTTP/1.1");
        }
        if (!parts[2].equals("HTTP/1.1") && !parts[2].equals("HTTP/1.0")) {
            throw new BadRequestException(505, "this endpoint speaks HTTP/1.1");
        }
        Map<String, String> headers = headers();
        readBody(headers);
        return new AdminRequest(parts[0], path(parts[1]), query(parts[1]), headers);
    }

    private static String path(String target) throws BadRequestException {
        String local = ABSOLUTE.matcher(target).replaceFirst("");
        int query = local.indexOf('?');
        String path = query < 0 ? local : local.substring(0, query);
        if (!path.startsWith("/") && !(path.isEmpty() && !local.equals(target))) {
            throw new BadRequestException(400, "the request is for no path");
        }
        return path.isEmpty() ? "/" : path;
    }

    private static String query(String target) {
        int query = target.indexOf('?');
        return query < 0 ? "" : target.substring(query + 1);
    }

    private Map<String, String> headers() throws IOException, BadRequestException {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = requiredLine(); !line.isEmpty(); line = requiredLine()) {
            int colon = line.indexOf(':');
            if (colon < 0 || !TOKEN.matcher(line.substring(0, colon)).matches()) {
                throw new BadRequestException(400, "a line of the request is no header");
            }
            String name = line.substring(0, colon);
            String before = headers.putIfAbsent(name, line.substring(colon + 1).strip());
            if (before != null && ONCE.stream().anyMatch(name::equalsIgnoreCase)) {
                throw new BadRequestException(400, "the header " + name + " stands twice");
            }
        }
        return headers;
    }

    // --- its body ---------------------------------------------------------------------------------------------------

    private void readBody(Map<String, String> headers) throws IOException, BadRequestException {
        String coding = headers.get("Transfer-Encoding");
        String length = headers.get("Content-Length");
        if (coding != null && length != null) {
            throw new BadRequestException(400, "the request has two lengths");
        }
        if (coding != null) {
            readChunks(coding);
        } else if (length != null) {
            skip(length(length));
        }
    }

    private static int length(String text) throws BadRequestException {
        if (!DIGITS.matcher(text).matches()) {
            throw new BadRequestException(400, "Content-Length is no number");
        }
        return text.length() > LENGTH_DIGITS_MAX ? Integer.MAX_VALUE : Integer.parseInt(text);
    }

    private void readChunks(String coding) throws IOException, BadRequestException {
        if (!coding.equalsIgnoreCase("chunked")) {
            throw new BadRequestException(501, "the only transfer coding here is chunked");
        }
        long all = 0;
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            all += size;
            skip((int) Math.min(all, Integer.MAX_VALUE), size);
            if (!requiredLine().isEmpty()) {
                throw new BadRequestException(400, "a chunk is longer than it says");
            }
        }
        while (!requiredLine().isEmpty()) {
            // Trailers, which count with the head.
        }
    }

    private int chunkSize() throws IOException, BadRequestException {
        var matcher = CHUNK.matcher(requiredLine());
        if (!matcher.matches()) {
            throw new BadRequestException(400, "a chunk has no size");
        }
        return (int) Math.min(Long.parseLong(matcher.group(1), 16), Integer.MAX_VALUE);
    }

    private void skip(int bytes) throws IOException, BadRequestException {
        skip(bytes, bytes);
    }

    /**
     * Discards a part of the body.
     *
     * @param all bytes of the body so far, these included
     */
    private void skip(int all, int bytes) throws IOException, BadRequestException {
        if (all > BODY_BYTES_MAX) {
            throw new BadRequestException(413, "a request may have " + BODY_BYTES_MAX + " bytes, and needs none");
        }
        input.skipNBytes(bytes);
    }

    // --- its lines --------------------------------------------------------------------------------------------------

    private String requiredLine() throws IOException, BadRequestException {
        String line = line();
        if (line == null) {
            throw new EOFException("the client went in the middle of its request");
        }
        return line;
    }

    /** Returns a line without its end; null at the end of all. */
    private @Nullable String line() throws IOException, BadRequestException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) {
                return null;
            }
            if (++headBytes > HEAD_BYTES_MAX) {
                throw new BadRequestException(431, "a request's head may have " + HEAD_BYTES_MAX + " bytes");
            }
            bytes.write(next);
        }
        String ended = bytes.toString(ISO_8859_1);
        String line = ended.endsWith("\r") ? ended.substring(0, ended.length() - 1) : ended;
        if (CONTROL.matcher(line).find()) {
            throw new BadRequestException(400, "a line of the request has a control character");
        }
        return line;
    }
}
