package dev.sluice.gateway.plainhttp;

import dev.sluice.ffi.libc.InetText;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

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
        String named = request.host();
        String host = named == null ? host(listener) + port(listener.getPort()) : named;
        return response("400 Bad Request", "", request, "This port speaks TLS; use https://" + host + "/\n");
    }

    /**
     * Returns the redirect of a request to the https address of the same host and path.
     *
     * @param listener the address that the client connected to, for a request of HTTP/1.0 that names no host
     * @param port the port that speaks TLS
     * @return null when the request is not valid
     */
    public static byte @Nullable [] redirect(RequestHead request, InetSocketAddress listener, int port) {
        String address = request.httpsAddress(host(listener), port(port));
        if (address == null) {
            return null;
        }
        // Every client knows 301, which lets some repeat a POST as a GET; 308 does not, and is younger.
        String status = request.isSafe() ? "301 Moved Permanently" : "308 Permanent Redirect";
        return response(status, "Location: " + address + END, request, "Use https\n");
    }

    /**
     * Returns the response to a request that is not valid.
     *
     * @param tooLong true when it is longer than what is read
     */
    public static byte[] malformed(RequestHead request, boolean tooLong) {
        return tooLong
                ? response("431 Request Header Fields Too Large", "", request, "The request is too long\n")
                : response("400 Bad Request", "", request, "This is no request of HTTP/1.1 for one host\n");
    }

    /** Returns what an ACME server awaits: RFC 8555 section 8.3. */
    public static byte[] challenge(RequestHead request, String authorization) {
        return response("200 OK", "", request, authorization);
    }

    private static byte[] response(String status, String fields, RequestHead request, String text) {
        String head = "HTTP/1.1 " + status + END + fields + "Content-Type: text/plain; charset=us-ascii" + END
                + "Content-Length: " + text.length() + END + "X-Content-Type-Options: nosniff" + END
                + "Connection: close" + END + END;
        return (request.isHead() ? head : head + text).getBytes(StandardCharsets.US_ASCII);
    }

    private static String host(InetSocketAddress address) {
        String host = InetText.withoutZone(address.getAddress());
        return host.indexOf(':') < 0 ? host : "[" + host + "]";
    }

    private static String port(int port) {
        return port == HTTPS_PORT ? "" : ":" + port;
    }
}
