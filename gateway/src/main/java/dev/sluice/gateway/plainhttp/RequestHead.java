package dev.sluice.gateway.plainhttp;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The head of a plain HTTP/1.x request, or the first part of one that is too long. Immutable.
 *
 * @param method the method
 * @param host the value of the only Host field, if it names a host and perhaps a port; null: none, several, or anything
 *     else
 */
public record RequestHead(String method, @Nullable String host) {
    private static final Pattern HOST = Pattern.compile(
            "([A-Za-z0-9_]([A-Za-z0-9._-]{0,252}[A-Za-z0-9_.])?|\\[[0-9A-Fa-f:.]{2,45}])(:[0-9]{1,5})?");
    private static final String NAME = "host:";

    /**
     * Reads a head.
     *
     * @param bytes from the begin of the request; a line without its end is left out
     */
    static RequestHead of(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int space = text.indexOf(' ');
        String method = text.substring(0, Math.max(space, 0));
        String host = null;
        int hosts = 0;
        int line = text.indexOf('\n') + 1;
        for (int end = text.indexOf('\n', line); line > 0 && end >= 0; end = text.indexOf('\n', line)) {
            if (text.regionMatches(true, line, NAME, 0, NAME.length())) {
                host = text.substring(line + NAME.length(), end).strip();
                hosts++;
            }
            line = end + 1;
        }
        boolean valid = host != null && hosts == 1 && HOST.matcher(host).matches();
        return new RequestHead(method, valid ? host : null);
    }
}
