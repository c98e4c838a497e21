package dev.sluice.cli.demo;

import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** One connection of the demo backend: the PROXY header, then requests until one side has enough. */
final class DemoConnection {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int IDLE_TIMEOUT_MILLIS = 120_000;
    /** The page about the connection. It ends it, so that a browser's reload shows another one, which is resumed. */
    private static final String PAGE = "/";

    private final InputStream input;
    private final HttpResponse response;

    DemoConnection(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(IDLE_TIMEOUT_MILLIS);
        this.input = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
        OutputStream output = new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES);
        this.response = new HttpResponse(output);
    }

    void serve() throws IOException {
        ProxyHeader client = ProxyHeader.read(input);
        boolean goesOn = true;
        while (goesOn) {
            HttpRequest request = HttpRequest.read(input);
            if (request == null) {
                return;
            }
            goesOn = request.keepAlive() && !request.path().equals(PAGE);
            response.begin(request.method().equals("HEAD"), goesOn);
            answer(request, client);
        }
    }

    private void answer(HttpRequest request, ProxyHeader client) throws IOException {
        if (request.expectsContinue()) {
            response.goOn();
        }
        HttpBody body = request.body(input);
        switch (request.method()) {
            case "GET", "HEAD" -> {
                body.skipRest();
                show(request.path(), client);
            }
            case "POST", "PUT" -> take(request.path(), body);
            default -> {
                body.skipRest();
                response.text(405, "only GET, HEAD, POST and PUT are known here\n");
            }
        }
    }

    private void show(String path, ProxyHeader client) throws IOException {
        switch (path) {
            case PAGE -> response.content(200, "text/html; charset=utf-8", DemoPage.html(client));
            case "/json" -> response.content(200, "application/json", DemoPage.json(client));
            case "/favicon.ico" -> response.text(404, "");
            default -> {
                if (path.startsWith(Download.PREFIX)) {
                    download(path.substring(Download.PREFIX.length()));
                } else {
                    notFound(path);
                }
            }
        }
    }

    private void download(String rest) throws IOException {
        String digest = "/sha256";
        boolean wantsDigest = rest.endsWith(digest);
        long bytes = Download.size(wantsDigest ? rest.substring(0, rest.length() - digest.length()) : rest);
        if (bytes < 0) {
            response.text(400, "write /bytes/N, N from 0 to " + DemoBackend.DOWNLOAD_BYTES_MAX + "\n");
        } else if (wantsDigest) {
            response.text(200, Download.sha256(bytes) + "\n");
        } else {
            response.stream(bytes, output -> Download.write(bytes, output));
        }
    }

    private void take(String path, HttpBody body) throws IOException {
        if (path.equals("/sha256")) {
            response.text(200, Download.sha256(body) + "\n");
        } else {
            body.skipRest();
            notFound(path);
        }
    }

    private void notFound(String path) throws IOException {
        response.text(404, "nothing at " + path + "; there are /, /json, /bytes/N, /bytes/N/sha256 and POST /sha256\n");
    }
}
