package dev.sluice.cli.demo;

import dev.sluice.config.json.Json;
import dev.sluice.ffi.libc.InetText;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The page that shows a connection to the demo, as HTML and as JSON. */
final class DemoPage {
    private static final String TEMPLATE = "page.html";

    /** The place of the rows in the template. */
    private static final String ROWS = "<!-- rows -->";

    private DemoPage() {}

    /** Returns a page that loads nothing else. */
    static String html(ProxyHeader client) throws IOException {
        TlsFacts tls = client.tls();
        StringBuilder rows = new StringBuilder();
        row(rows, "TLS version", tls.version(), "none: the client does not use TLS");
        row(rows, "Cipher suite", tls.cipher(), "not said");
        row(rows, "Key exchange", tls.group(), "not said");
        row(rows, "Session", tls.resumed() ? "resumed" : "full handshake", "");
        row(rows, "Handshake", micros(tls), "not said");
        row(rows, "Server name (SNI)", tls.serverName(), "the client sent none");
        row(rows, "Protocol (ALPN)", tls.alpn(), "none negotiated");
        row(rows, "Client certificate", tls.clientCertificate() ? named(tls.commonName()) : "", "none");
        row(rows, "Client address", text(client.source()), "not said");
        row(rows, "Gateway address", text(client.destination()), "not said");
        return template().replace(ROWS, rows);
    }

    /** Returns the same as a JSON object; unknown values are null. */
    static String json(ProxyHeader client) {
        TlsFacts tls = client.tls();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("version", known(tls.version()));
        members.put("cipher", known(tls.cipher()));
        members.put("group", known(tls.group()));
        members.put("resumed", tls.resumed());
        members.put("handshakeMicros", tls.handshakeMicros() < 0 ? null : tls.handshakeMicros());
        members.put("sni", known(tls.serverName()));
        members.put("alpn", known(tls.alpn()));
        members.put("clientCertificate", tls.clientCertificate());
        members.put("commonName", known(tls.commonName()));
        members.put("clientAddress", known(text(client.source())));
        members.put("gatewayAddress", known(text(client.destination())));
        return Json.document(members);
    }

    private static @Nullable String known(String text) {
        return text.isEmpty() ? null : text;
    }

    private static String named(String commonName) {
        return commonName.isEmpty() ? "verified" : commonName;
    }

    private static String micros(TlsFacts tls) {
        return tls.handshakeMicros() < 0 ? "" : tls.handshakeMicros() + " µs in the TLS library";
    }

    private static String text(@Nullable InetSocketAddress address) {
        return address == null ? "" : InetText.of(address);
    }

    private static void row(StringBuilder rows, String name, String value, String whenEmpty) {
        rows.append("<tr><th scope=\"row\">").append(name).append("</th>");
        if (value.isEmpty()) {
            rows.append("<td class=\"none\">").append(whenEmpty);
        } else {
            rows.append("<td>");
            appendEscaped(rows, value);
        }
        rows.append("</td></tr>\n");
    }

    private static void appendEscaped(StringBuilder html, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '<' -> html.append("&lt;");
                case '>' -> html.append("&gt;");
                case '&' -> html.append("&amp;");
                case '"' -> html.append("&quot;");
                default -> html.append(c);
            }
        }
    }

    private static String template() throws IOException {
        try (InputStream resource = DemoPage.class.getResourceAsStream(TEMPLATE)) {
            if (resource == null) {
                throw new IOException("the resource " + TEMPLATE + " is missing; the build is broken");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
