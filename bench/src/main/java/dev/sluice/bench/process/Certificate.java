package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A self-signed certificate.
 *
 * @param chain the certificate, PEM
 * @param key its key, PEM
 * @param both both in one file, for HAProxy and hitch
 */
public record Certificate(Path chain, Path key, Path both) {
    private static final Program OPENSSL = new Program("openssl", "openssl");

    /** The key types. */
    public enum Kind {
        /** ECDSA on P-256. */
        ECDSA_P256("ec", "ec_paramgen_curve:P-256"),
        /** RSA with 2,048 bits. */
        RSA_2048("rsa", "rsa_keygen_bits:2048");

        private final String algorithm;
        private final String option;

        Kind(String algorithm, String option) {
            this.algorithm = algorithm;
            this.option = option;
        }
    }

    /** Creates a certificate in a directory, which must exist. */
    public static Certificate make(Path directory, Kind kind) throws InterruptedException, IOException {
        String openssl = OPENSSL.find()
                .orElseThrow(() -> new BenchException(OPENSSL.missing()))
                .toString();
        Certificate certificate = new Certificate(
                directory.resolve("chain.pem"), directory.resolve("key.pem"), directory.resolve("both.pem"));
        String said = Output.of(certificate.command(openssl, kind), Map.of());
        if (!Files.exists(certificate.chain)) {
            throw new BenchException("openssl req made no certificate: " + said);
        }
        Files.writeString(certificate.both, Files.readString(certificate.chain) + Files.readString(certificate.key));
        return certificate;
    }

    private List<String> command(String openssl, Kind kind) {
        return List.of(
                openssl,
                "req",
                "-x509",
                "-nodes",
                "-days",
                "2",
                "-newkey",
                kind.algorithm,
                "-pkeyopt",
                kind.option,
                "-subj",
                "/CN=localhost",
                "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1",
                "-keyout",
                key.toString(),
                "-out",
                chain.toString());
    }
}
