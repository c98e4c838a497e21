package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A self-signed ECDSA P-256 certificate.
 *
 * @param chain the certificate, PEM
 * @param key its key, PEM
 * @param both one after the other, as HAProxy and hitch want it
 */
public record Certificate(Path chain, Path key, Path both) {
    private static final Program OPENSSL = new Program("openssl", "openssl");

    /** Makes one in a directory. */
    public static Certificate make(Path directory) throws InterruptedException, IOException {
        String openssl = OPENSSL.find()
                .orElseThrow(() -> new BenchException(OPENSSL.missing()))
                .toString();
        Certificate certificate = new Certificate(
                directory.resolve("chain.pem"), directory.resolve("key.pem"), directory.resolve("both.pem"));
        String said = Output.of(certificate.command(openssl), Map.of());
        if (!Files.exists(certificate.chain)) {
            throw new BenchException("openssl req made no certificate: " + said);
        }
        Files.writeString(certificate.both, Files.readString(certificate.chain) + Files.readString(certificate.key));
        return certificate;
    }

    private List<String> command(String openssl) {
        return List.of(
                openssl,
                "req",
                "-x509",
                "-nodes",
                "-days",
                "2",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
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
