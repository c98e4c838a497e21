package dev.sluice.tls.bogo;

import dev.sluice.tls.bogo.ShimFlags.Settings;
import dev.sluice.tls.context.ClientContextBuilder;
import dev.sluice.tls.context.ContextBuilder;
import dev.sluice.tls.context.HandshakePath;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.ServerContextBuilder;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.failure.TlsConfigurationException;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A maker of the contexts that a test's flags describe. */
final class ShimContexts {
    /** All that BoringSSL may offer, and keys of 1,024 bits, which tests use. */
    private static final String CIPHERS = "ALL:!aNULL:!eNULL:!PSK:!SRP:@SECLEVEL=0";

    private static final List<String> GROUPS = List.of("X25519", "P-256", "P-384");

    /** The registry's numbers of the groups that the engines have. */
    static final Map<Integer, String> GROUP_NAMES =
            Map.of(23, "P-256", 24, "P-384", 25, "P-521", 29, "X25519", 4588, "X25519MLKEM768");

    private static final int TLS_1_2 = ProtocolVersion.TLS_1_2.number();
    private static final int TLS_1_3 = ProtocolVersion.TLS_1_3.number();

    private ShimContexts() {}

    /** Returns the context of a server or a client, the caller's. */
    static TlsContext of(Settings settings, TicketKeyRing ring, HandshakePath path) {
        try {
            return settings.has("-server") ? server(settings, ring, path) : client(settings);
        } catch (TlsConfigurationException e) {
            throw new UnsupportedFlagException("suites, groups or keys that OpenSSL does not have");
        }
    }

    private static TlsContext server(Settings settings, TicketKeyRing ring, HandshakePath path) {
        ServerContextBuilder builder = TlsContext.server().handshake(path);
        if (settings.has("-verify-peer") || !settings.has("-cert-file")) {
            throw new UnsupportedFlagException("a server that trusts any client, or has no certificate");
        }
        if (settings.has("-no-ticket")) {
            builder.sessionTickets(0);
        } else {
            builder.ticketKeys(ring);
        }
        if (settings.has("-select-alpn")) {
            builder.alpn(List.of(settings.value("-select-alpn")));
        }
        return common(builder, settings).build();
    }

    private static TlsContext client(Settings settings) {
        ClientContextBuilder builder = TlsContext.client();
        if (settings.has("-verify-peer")) {
            builder.trust(Path.of(settings.value("-trust-cert")));
        } else {
            builder.dangerouslyTrustAnyone();
        }
        if (settings.has("-no-ticket")) {
            throw new UnsupportedFlagException("-no-ticket");
        }
        if (settings.has("-advertise-alpn")) {
            builder.alpn(protocols(settings.value("-advertise-alpn")));
        }
        return common(builder, settings).build();
    }

    private static <B extends ContextBuilder<B>> B common(B builder, Settings settings) {
        if (settings.has("-cert-file")) {
            builder.certificate(Path.of(settings.value("-cert-file")), Path.of(settings.value("-key-file")));
        }
        long oldest = Math.max(TLS_1_2, settings.number("-min-version", TLS_1_2));
        long newest = settings.number("-max-version", TLS_1_3);
        boolean no13 = settings.has("-no-tls13") || newest < TLS_1_3;
        boolean no12 = settings.has("-no-tls12") || oldest > TLS_1_2;
        if (newest < TLS_1_2 || (no13 && no12)) {
            throw new UnsupportedFlagException("versions before TLS 1.2");
        }
        builder.versions(
                no12 ? ProtocolVersion.TLS_1_3 : ProtocolVersion.TLS_1_2,
                no13 ? ProtocolVersion.TLS_1_2 : ProtocolVersion.TLS_1_3);
        String ciphers = settings.value("-cipher");
        builder.cipherList(ciphers.isEmpty() ? CIPHERS : ciphers + ":@SECLEVEL=0");
        List<String> groups = new ArrayList<>();
        for (int number : settings.numbers("-curves")) {
            String name = GROUP_NAMES.get(number);
            if (name == null) {
                throw new UnsupportedFlagException("-curves " + number);
            }
            groups.add(name);
        }
        return builder.groups(groups.isEmpty() ? GROUPS : groups);
    }

    /** Returns the protocols of a list in which each is preceded by its length. */
    private static List<String> protocols(String list) {
        byte[] bytes = list.getBytes(StandardCharsets.ISO_8859_1);
        List<String> protocols = new ArrayList<>();
        for (int at = 0; at < bytes.length; at += 1 + bytes[at]) {
            protocols.add(new String(bytes, at + 1, bytes[at], StandardCharsets.ISO_8859_1));
        }
        return protocols;
    }
}
