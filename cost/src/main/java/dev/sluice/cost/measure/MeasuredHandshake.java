package dev.sluice.cost.measure;

import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.tls.context.ProtocolVersion;
import java.util.ArrayList;
import java.util.List;

/**
 * A kind of handshake.
 *
 * @param version of the protocol
 * @param key key type of the server's certificate
 * @param resumed true for a resumed session
 * @param tickets number of tickets sent by the server
 * @param postQuantum true for X25519MLKEM768 instead of X25519
 */
public record MeasuredHandshake(
        ProtocolVersion version, KeyKind key, boolean resumed, int tickets, boolean postQuantum) {
    /** The default number of tickets of our servers, and of OpenSSL's. */
    public static final int USUAL_TICKETS = 2;

    /** Returns a handshake with default tickets and key exchange. */
    public static MeasuredHandshake usual(ProtocolVersion version, KeyKind key, boolean resumed) {
        return new MeasuredHandshake(version, key, resumed, USUAL_TICKETS, false);
    }

    /**
     * Returns every certificate with both versions, full and resumed; and for RSA-2048 and ECDSA P-256 also TLS 1.3
     * with one ticket, and with post-quantum key exchange if this OpenSSL supports it.
     */
    static List<MeasuredHandshake> all() {
        List<MeasuredHandshake> all = new ArrayList<>();
        boolean postQuantum = OpenSsl.require().supportsGroup(AsymmetricProbes.POST_QUANTUM);
        for (KeyKind key : KeyKind.values()) {
            for (boolean resumed : List.of(false, true)) {
                all.add(usual(ProtocolVersion.TLS_1_2, key, resumed));
                all.add(usual(ProtocolVersion.TLS_1_3, key, resumed));
                if (key == KeyKind.RSA_2048 || key == KeyKind.ECDSA_P256) {
                    all.add(new MeasuredHandshake(ProtocolVersion.TLS_1_3, key, resumed, 1, false));
                    if (postQuantum) {
                        all.add(new MeasuredHandshake(ProtocolVersion.TLS_1_3, key, resumed, USUAL_TICKETS, true));
                    }
                }
            }
        }
        return all;
    }

    /**
     * Returns the name in figures: {@code handshake/tls13/ecdsa-p256/full}, with a suffix {@code -1ticket} or {@code
     * -pq}.
     */
    public String path() {
        String version = this.version == ProtocolVersion.TLS_1_2 ? "tls12" : "tls13";
        String unusual = (tickets == USUAL_TICKETS ? "" : "-" + tickets + "ticket") + (postQuantum ? "-pq" : "");
        return "handshake/" + version + "/" + key.path() + "/" + (resumed ? "resumed" : "full") + unusual;
    }
}
