package dev.sluice.cost.measure;

import dev.sluice.ffi.openssl.OpenSsl;
import dev.sluice.tls.ProtocolVersion;
import java.util.ArrayList;
import java.util.List;

/**
 * A kind of handshake.
 *
 * @param version of the protocol
 * @param key of the server's certificate
 * @param resumed whether a session is resumed
 * @param tickets how many the server sends
 * @param postQuantum whether the key exchange is X25519MLKEM768, in place of X25519
 */
public record HandshakeKind(ProtocolVersion version, KeyKind key, boolean resumed, int tickets, boolean postQuantum) {
    /** What our servers, and OpenSSL's, send by default. */
    public static final int USUAL_TICKETS = 2;

    /** What is usual, but for what is told. */
    public static HandshakeKind usual(ProtocolVersion version, KeyKind key, boolean resumed) {
        return new HandshakeKind(version, key, resumed, USUAL_TICKETS, false);
    }

    /**
     * Every certificate with both versions, full and resumed; and for RSA-2048 and ECDSA P-256 the same of TLS 1.3 with one
     * ticket, and with post-quantum key exchange where this OpenSSL has that.
     */
    public static List<HandshakeKind> all() {
        List<HandshakeKind> all = new ArrayList<>();
        boolean postQuantum = OpenSsl.require().supportsGroup(AsymmetricProbes.POST_QUANTUM);
        for (KeyKind key : KeyKind.values()) {
            for (boolean resumed : List.of(false, true)) {
                all.add(usual(ProtocolVersion.TLS_1_2, key, resumed));
                all.add(usual(ProtocolVersion.TLS_1_3, key, resumed));
                if (key == KeyKind.RSA_2048 || key == KeyKind.ECDSA_P256) {
                    all.add(new HandshakeKind(ProtocolVersion.TLS_1_3, key, resumed, 1, false));
                    if (postQuantum) {
                        all.add(new HandshakeKind(ProtocolVersion.TLS_1_3, key, resumed, USUAL_TICKETS, true));
                    }
                }
            }
        }
        return all;
    }

    /** As figures name it: {@code handshake/tls13/ecdsa-p256/full}, with {@code -1ticket} or {@code -pq} where unusual. */
    public String path() {
        String version = this.version == ProtocolVersion.TLS_1_2 ? "tls12" : "tls13";
        String unusual = (tickets == USUAL_TICKETS ? "" : "-" + tickets + "ticket") + (postQuantum ? "-pq" : "");
        return "handshake/" + version + "/" + key.path() + "/" + (resumed ? "resumed" : "full") + unusual;
    }
}
