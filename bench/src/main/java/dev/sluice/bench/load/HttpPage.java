package dev.sluice.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A request of HTTP/1.1 and its response, whose size the load knows: servers send exactly these headers. */
public final class HttpPage {
    /** The value of {@code content-type}, the first header. */
    public static final String CONTENT_TYPE = "text/plain";

    /** The value of {@code content-length}, the second header and the last. */
    public static final int CONTENT_BYTES = 1024;

    private static final String REQUEST =
            "GET / HTTP/1.1\r\nhost: localhost\r\nuser-agent: bench\r\naccept: */*\r\n\r\n";
    private static final String HEAD =
            "HTTP/1.1 200 OK\r\ncontent-type: " + CONTENT_TYPE + "\r\ncontent-length: " + CONTENT_BYTES + "\r\n\r\n";

    private HttpPage() {}

    /** Returns the request, ready to send. */
    static ByteBuffer request() {
        return ByteBuffer.wrap(REQUEST.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the size of the response, head and content. */
    static int responseBytes() {
        return HEAD.length() + CONTENT_BYTES;
    }
}
