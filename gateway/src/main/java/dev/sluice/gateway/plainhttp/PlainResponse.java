package dev.sluice.gateway.plainhttp;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** The responses to plain HTTP requests, over HTTP/1.1; the connection ends with each. */
public final class PlainResponse {
    /** The port that an https address need not name. */
    private static final int HTTPS_PORT = 443;

    private static final String END = "\r\n";

    private PlainResponse() {}

    /**
     * Returns the response to a request on a port that speaks TLS. It names the https address of the host that the
     * request names.
     *
     * @param listener the address that the client connected to, for a request that names no host
     */
    public static byte[] speaksTls(RequestHead request, InetSocketAddress listener) {
        String host = request.host() == null ? authority(listener) : request.host();
        return response("400 Bad Request", "", request, "This port speaks TLS; use https://" + host + "/\n");
    }

    private static byte[] response(String status, String fields, RequestHead request, String text) {
        String head = "HTTP/1.1 " + status + END + fields + "Content-Type: text/plain; charset=us-ascii" + END
                + "Content-Length: " + text.length() + END + "X-Content-Type-Options: nosniff" + END
                + "Connection: close" + END + END;
        boolean withoutBody = request.method().equals("HEAD");
        return (withoutBody ? head : head + text).getBytes(StandardCharsets.US_ASCII);
    }

    private static String authority(InetSocketAddress address) {
        String literal = address.getAddress().getHostAddress();
        int zone = literal.indexOf('%'); // of no meaning to anybody else
        String host = zone < 0 ? literal : literal.substring(0, zone);
        String bracketed = host.indexOf(':') < 0 ? host : "[" + host + "]";
        return address.getPort() == HTTPS_PORT ? bracketed : bracketed + ":" + address.getPort();
    }
}
