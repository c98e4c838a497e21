package dev.sluice.config.lint;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.read.ReadConfig;
import dev.sluice.config.yaml.ConfigProblem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** The rule on the length of chains, which every full handshake sends. */
final class ChainRule implements LintRule {
    /** More than the length of two common certificates, an ECDSA leaf and its issuer. */
    static final int BYTES_MAX = 4096;

    /** The payload of a TCP segment on Ethernet, with timestamps. */
    private static final int SEGMENT_BYTES = 1448;

    @Override
    public List<ConfigProblem> findings(ReadConfig read, HandshakeCosts costs) {
        List<ConfigProblem> findings = new ArrayList<>();
        for (CertificateConfig certificate : read.config().certificates()) {
            List<KeyPairFiles> pairs = certificate.keyPairs();
            for (int i = 0; i < pairs.size(); i++) {
                for (String finding : findings(certificate.name(), chain(pairs.get(i)))) {
                    findings.add(read.at(finding, "certificates", certificate.name(), "chain", i));
                }
            }
        }
        return findings;
    }

    private static List<String> findings(String name, List<X509Certificate> chain) {
        List<String> findings = new ArrayList<>();
        int bytes = chain.stream().mapToInt(ChainRule::length).sum();
        if (bytes > BYTES_MAX) {
            findings.add("the chain of certificate " + name + " has " + bytes + " bytes in " + chain.size()
                    + " certificates: " + segments(bytes) + " TCP segments per full handshake, "
                    + bytes * 8L / 1000 + " Mbit/s at 1,000 handshakes per second; remove certificates that clients"
                    + " have, and have it issued with an ECDSA key and fewer names");
        }
        return findings;
    }

    private static int segments(int bytes) {
        return (bytes + SEGMENT_BYTES - 1) / SEGMENT_BYTES;
    }

    private static boolean isRoot(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
    }

    private static int length(X509Certificate certificate) {
        try {
            return certificate.getEncoded().length;
        } catch (CertificateException impossible) {
            throw new IllegalStateException("a certificate that was read has no encoding", impossible);
        }
    }

    /** Returns the chain that is sent; empty when the file has changed since the configuration was read. */
    private static List<X509Certificate> chain(KeyPairFiles pair) {
        List<X509Certificate> chain = new ArrayList<>();
        try (InputStream input = Files.newInputStream(pair.chain())) {
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(input)) {
                X509Certificate certificate = (X509Certificate) each;
                if (chain.isEmpty() || !isRoot(certificate)) { // a root is not sent
                    chain.add(certificate);
                }
            }
        } catch (CertificateException | IOException unreadable) {
            return List.of();
        }
        return chain;
    }
}
