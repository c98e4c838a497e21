package dev.sluice.cost.measure;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.IssuedCertificate;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.tls.certificate.PemSource;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The generated certificates of a measurement: a root of RSA-2048 and one of ECDSA P-256, four authorities below each,
 * and server certificates of every key type, signed by an RSA authority for RSA keys, else by an ECDSA one.
 */
final class Certificates implements AutoCloseable {
    /** The host of the server certificates. */
    static final String HOST = "cost.sluice.test";

    /** The longest chain: a server's certificate and its intermediates. */
    static final int LONGEST_CHAIN = 4;

    private static final Duration VALIDITY = Duration.ofDays(30);

    private final Tree rsa = new Tree(KeyKind.RSA_2048);
    private final Tree elliptic = new Tree(KeyKind.ECDSA_P256);
    private final Map<KeyKind, Server> servers = new EnumMap<>(KeyKind.class);

    /**
     * A server's certificate with one intermediate.
     *
     * @param chain PEM: the certificate and the intermediate
     * @param key PEM
     * @param root PEM: the trust anchor of clients
     */
    record Server(PemSource chain, PemSource key, PemSource root) {}

    /** Returns the certificate of a key type; created on first use. */
    Server server(KeyKind kind) {
        return servers.computeIfAbsent(kind, this::make);
    }

    private Server make(KeyKind kind) {
        Tree tree = tree(kind);
        try (EvpPkey key = kind.generate();
                X509 certificate = tree.server(key, 1)) {
            byte[] chain =
                    concat(certificate.toPem(), tree.authorities.getFirst().toPem());
            return new Server(
                    PemSource.bytes(kind.text() + " chain", chain),
                    PemSource.bytes(kind.text() + " key", key.toPem()),
                    PemSource.bytes(kind.text() + " root", tree.root.toPem()));
        }
    }

    /** Returns the root of the chains of a key type. */
    X509 root(KeyKind kind) {
        return tree(kind).root;
    }

    /**
     * Returns a server's chain: its certificate first, with the key type of its authorities. The caller closes only the
     * first.
     */
    List<X509> chain(KeyKind kind, int length) {
        Tree tree = tree(kind);
        List<X509> chain = new ArrayList<>();
        chain.add(tree.server(tree.keys.getFirst(), length - 1));
        for (int i = length - 2; i >= 0; i--) {
            chain.add(tree.authorities.get(i));
        }
        return chain;
    }

    private Tree tree(KeyKind kind) {
        return kind.isRsa() ? rsa : elliptic;
    }

    private static byte[] concat(byte[] one, byte[] other) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(one);
        both.writeBytes(other);
        return both.toByteArray();
    }

    @Override
    public void close() {
        rsa.close();
        elliptic.close();
    }

    /** A root with a chain of authorities. */
    private static final class Tree implements AutoCloseable {
        private final List<EvpPkey> keys = new ArrayList<>();
        private final List<X509> authorities = new ArrayList<>();
        private final X509 root;

        Tree(KeyKind kind) {
            EvpPkey rootKey = kind.generate();
            keys.add(rootKey);
            root = IssuedCertificate.root(rootKey, "Sluice cost root", VALIDITY);
            X509 issuer = root;
            for (int i = 1; i < LONGEST_CHAIN; i++) {
                EvpPkey key = kind.generate();
                EvpPkey issuerKey = keys.getLast();
                issuer = IssuedCertificate.authority(key, "Sluice cost authority " + i, VALIDITY, issuer, issuerKey);
                keys.add(key);
                authorities.add(issuer);
            }
        }

        /** Creates a certificate with so many authorities between it and the root. */
        X509 server(EvpPkey key, int between) {
            X509 issuer = between == 0 ? root : authorities.get(between - 1);
            return IssuedCertificate.server(key, List.of(HOST), VALIDITY, issuer, keys.get(between));
        }

        @Override
        public void close() {
            authorities.forEach(X509::close);
            keys.forEach(EvpPkey::close);
            root.close();
        }
    }
}
