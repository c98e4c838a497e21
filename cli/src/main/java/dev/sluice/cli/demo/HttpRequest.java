package dev.sluice.cli.demo;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP/1.1 request (RFC 9112), as much of it as the demo needs.
 *
 * @param method in upper case as sent
 * @param path the target without its query
 * @param version {@code HTTP/1.1} or {@code HTTP/1.0}
 * @param fields by lower-case name; of repeated ones the last
 */
record HttpRequest(String method, String path, String version, Map<String, String> fields) {
    private static final int HEAD_BYTES_MAX = 16 * 1024;

    /**
     * Reads a head.
     *
     * @return null when the stream ends before a request begins
     * @throws IOException when what comes is no head, is too long, or ends inside
     */
    static @Nullable HttpRequest read(InputStream input) throws IOException {
        String head = head(input);
        if (head == null) {
            return null;
        }
        String[] lines = head.split("\r\n", -1);
        String[] start = lines[0].split(" ", -1);
        if (start.length != 3 || !start[2].startsWith("HTTP/1.")) {
            throw new IOException("not an HTTP/1.1 request: \"" + lines[0] + '"');
        }
        Map<String, String> fields = new HashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            if (colon < 1) {
                throw new IOException("not a field: \"" + lines[i] + '"');
            }
            fields.put(
                    lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                    lines[i].substring(colon + 1).strip());
        }
        int query = start[1].indexOf('?');
        String path = query < 0 ? start[1] : start[1].substring(0, query);
        return new HttpRequest(start[0], path, start[2], fields);
    }

    private static @Nullable String head(InputStream input) throws IOException {
        byte[] bytes = new byte[HEAD_BYTES_MAX];
        int length = 0;
        while (length < bytes.length) {
            int next = input.read();
            if (next < 0) {
                if (length == 0) {
                    return null;
                }
                throw new EOFException("the connection ended inside a request");
            }
            bytes[length++] = (byte) next;
            if (next == '\n' && length >= 4 && bytes[length - 3] == '\n' && bytes[length - 2] == '\r') {
                return new String(bytes, 0, length - 4, StandardCharsets.ISO_8859_1);
            }
        }
        throw new IOException("a request's head is longer than " + HEAD_BYTES_MAX + " bytes");
    }

    /** Returns true when the client wants to keep the connection. */
    boolean keepAlive() {
        String connection = fields.getOrDefault("connection", "").toLowerCase(Locale.ROOT);
        return version.equals("HTTP/1.1") ? !connection.contains("close") : connection.contains("keep-alive");
    }

    /** Returns true when the client waits for "100 Continue" before it sends the body. */
    boolean expectsContinue() {
        return fields.getOrDefault("expect", "").equalsIgnoreCase("100-continue");
    }

    /** The body that follows the head. */
    HttpBody body(InputStream input) throws IOException {
        if (fields.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
            return HttpBody.chunked(input);
        }
        try {
            return HttpBody.ofLength(input, Long.parseLong(fields.getOrDefault("content-length", "0")));
        } catch (NumberFormatException bad) {
            throw new IOException("not a length: \"" + fields.get("content-length") + '"', bad);
        }
    }
}
