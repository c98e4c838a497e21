package dev.sluice.doctor.probe;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_OP_LEGACY_SERVER_CONNECT;
import static dev.sluice.ffi.openssl.raw.OpenSslConstants.SSL_VERIFY_NONE;

import dev.sluice.doctor.wire.Version;
import dev.sluice.ffi.openssl.SslCtx;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Client contexts that accept any server, so that its defects can be reported. */
public final class Contexts {
    /** Security level 0, required for handshakes with servers that offer nothing better. */
    private static final String ANY_SUITES = "DEFAULT:@SECLEVEL=0";

    private Contexts() {}

    /** Creates a context for any version from TLS 1.0. The caller closes it. */
    public static SslCtx anyVersion(List<String> alpn) {
        return make(Version.TLS_1_0, Version.TLS_1_3, alpn);
    }

    /** Creates a context for one version. The caller closes it. */
    public static SslCtx only(Version version, List<String> alpn) {
        return make(version, version, alpn);
    }

    private static SslCtx make(Version oldest, Version newest, List<String> alpn) {
        SslCtx context = SslCtx.client();
        try {
            context.cipherList(ANY_SUITES);
            context.versions(oldest.number(), newest.number());
            context.addOptions(SSL_OP_LEGACY_SERVER_CONNECT);
            context.verify(SSL_VERIFY_NONE);
            if (!alpn.isEmpty()) {
                context.offerAlpn(wire(alpn));
            }
            return context;
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    private static byte[] wire(List<String> alpn) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String name : alpn) {
            byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
            out.write(bytes.length);
            out.writeBytes(bytes);
        }
        return out.toByteArray();
    }
}
