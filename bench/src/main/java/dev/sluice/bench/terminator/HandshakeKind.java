package dev.sluice.bench.terminator;

import dev.sluice.bench.process.Certificate;
import dev.sluice.tls.context.ProtocolVersion;
import java.util.ArrayList;
import java.util.List;

/**
 * A kind of handshake.
 *
 * @param version of TLS, with (EC)DHE in either
 * @param certificate the server's
 * @param resumed true for a resumed session
 */
record HandshakeKind(ProtocolVersion version, Certificate.Kind certificate, boolean resumed) {
    /** Returns all kinds. */
    static List<HandshakeKind> all() {
        List<HandshakeKind> kinds = new ArrayList<>();
        for (Certificate.Kind certificate : Certificate.Kind.values()) {
            for (ProtocolVersion version : ProtocolVersion.values()) {
                kinds.add(new HandshakeKind(version, certificate, false));
                kinds.add(new HandshakeKind(version, certificate, true));
            }
        }
        return List.copyOf(kinds);
    }

    /** Returns the name for tables. */
    @Override
    public String toString() {
        return (version == ProtocolVersion.TLS_1_2 ? "TLS 1.2, " : "TLS 1.3, ")
                + (certificate == Certificate.Kind.RSA_2048 ? "RSA-2048, " : "ECDSA P-256, ")
                + (resumed ? "resumed" : "full");
    }
}
