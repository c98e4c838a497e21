package dev.sluice.gateway.certificate;

import dev.sluice.tls.context.ContextBuilder;
import java.util.List;

/**
 * The configuration's one list of cipher suites as the two that OpenSSL has. A version whose suites are not listed
 * keeps its defaults.
 *
 * @param tls13 suites of TLS 1.3
 * @param older suites of TLS 1.2
 */
record CipherSuites(List<String> tls13, List<String> older) {
    static CipherSuites of(List<String> names) {
        return new CipherSuites(
                names.stream().filter(CipherSuites::isTls13).toList(),
                names.stream().filter(name -> !isTls13(name)).toList());
    }

    /** The suites of TLS 1.3 name no key exchange (RFC 8446 appendix B.4). */
    private static boolean isTls13(String name) {
        return name.startsWith("TLS_AES_") || name.startsWith("TLS_CHACHA20_");
    }

    void applyTo(ContextBuilder<?> builder) {
        if (!tls13.isEmpty()) {
            builder.cipherSuites(tls13);
        }
        if (!older.isEmpty()) {
            builder.cipherList(String.join(":", older));
        }
    }
}
