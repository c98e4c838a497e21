package dev.sluice.gateway.plainhttp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The head of a plain HTTP/1.x request, or the first part of one that is too long. Immutable.
 *
 * @param line the request line, one character per byte
 * @param hosts the values of its Host fields
 */
public record RequestHead(String line, List<String> hosts) {
    /** A host without a port, and the port. */
    private static final Pattern HOST = Pattern.compile(
            "([A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9_.])?|\\[[0-9A-Fa-f:.]{2,45}])(:[0-9]{0,5})?");

    /** Method, scheme and authority of an absolute form, path and query, minor version: RFC 9112 section 3. */
    private static final Pattern LINE = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+) "
            + "(?:[Hh][Tt][Tt][Pp]://([^/?#]+))?((?:/[!-~]*|\\?[!-~]*)?|\\*) HTTP/1\\.([01])\r?");

    private static final String NAME = "host:";

    /** Copies the list. */
    public RequestHead {
        hosts = List.copyOf(hosts);
    }

    /**
     * Reads a head.
     *
     * @param bytes from the begin of the request; a line without its end is left out
     */
    static RequestHead of(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int next = text.indexOf('\n') + 1;
        String first = next == 0 ? text : text.substring(0, next - 1);
        List<String> hosts = new ArrayList<>();
        for (int end = text.indexOf('\n', next); next > 0 && end >= 0; end = text.indexOf('\n', next)) {
            if (text.regionMatches(true, next, NAME, 0, NAME.length())) {
                hosts.add(text.substring(next + NAME.length(), end).strip());
            }
            next = end + 1;
        }
        return new RequestHead(first, hosts);
    }

    /** Returns true when the response has no body. */
    boolean isHead() {
        return line.startsWith("HEAD ");
    }

    /** Returns true when a client may repeat the request as it is, whatever kind of redirect it follows. */
    boolean isSafe() {
        return isHead() || line.startsWith("GET ");
    }

    /** Returns the path of a request in the usual form, as it was sent; "" for any other. */
    public String path() {
        Matcher request = LINE.matcher(line);
        return request.matches() && request.group(2) == null ? request.group(3) : "";
    }

    /** Returns the value of the only Host field, if it is a host and perhaps a port; null in any other case. */
    @Nullable
    String host() {
        return hosts.size() == 1 && HOST.matcher(hosts.getFirst()).matches() ? hosts.getFirst() : null;
    }

    /**
     * Returns the https address of what the request is for.
     *
     * @param listener the host of a request of HTTP/1.0 that names none, in brackets if it is one of IPv6
     * @param port the part of the address behind the host; "" for the usual port
     * @return null when the request is none of HTTP/1.x, is for no path, or names no single host
     */
    @Nullable
    String httpsAddress(String listener, String port) {
        Matcher request = LINE.matcher(line);
        if (!request.matches()) {
            return null;
        }
        boolean isOld = request.group(4).equals("0");
        String host = hosts.isEmpty() && isOld ? listener : host();
        String authority = request.group(2);
        String target = request.group(3);
        if (host == null || (authority == null && (target.isEmpty() || target.startsWith("?")))) {
            return null;
        }
        Matcher named = HOST.matcher(authority == null ? host : authority);
        if (!named.matches()) {
            return null;
        }
        String path = target.startsWith("/") ? target : target.startsWith("?") ? "/" + target : "/";
        return "https://" + named.group(1) + port + path;
    }
}
