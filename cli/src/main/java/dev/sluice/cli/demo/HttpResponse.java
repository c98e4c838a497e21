package dev.sluice.cli.demo;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The writer of the responses of one connection, one after the other. */
final class HttpResponse {
    private final OutputStream output;
    private boolean headOnly;
    private boolean keepAlive;

    HttpResponse(OutputStream output) {
        this.output = output;
    }

    /**
     * A new response begins.
     *
     * @param headOnly whether the body stays out, as for HEAD
     * @param keepAlive whether the connection goes on after it
     */
    void begin(boolean headOnly, boolean keepAlive) {
        this.headOnly = headOnly;
        this.keepAlive = keepAlive;
    }

    /** Asks for the body that the client holds back. */
    void goOn() throws IOException {
        output.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        output.flush();
    }

    void text(int status, String text) throws IOException {
        content(status, "text/plain; charset=utf-8", text);
    }

    void content(int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        write(status, type, bytes.length, body -> body.write(bytes));
    }

    void stream(long length, Writer writer) throws IOException {
        write(200, "application/octet-stream", length, writer);
    }

    private void write(int status, String type, long length, Writer writer) throws IOException {
        String head = "HTTP/1.1 " + status + ' ' + reason(status) + "\r\nContent-Type: " + type + "\r\nContent-Length: "
                + length + "\r\nCache-Control: no-store\r\nConnection: " + (keepAlive ? "keep-alive" : "close")
                + "\r\n\r\n";
        output.write(head.getBytes(StandardCharsets.US_ASCII));
        if (!headOnly) {
            writer.writeTo(output);
        }
        output.flush();
    }

    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 400 -> "Bad Request";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            default -> "Status";
        };
    }

    /** A writer of a body. */
    interface Writer {
        void writeTo(OutputStream body) throws IOException;
    }
}
