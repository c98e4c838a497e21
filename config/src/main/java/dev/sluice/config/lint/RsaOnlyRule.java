package dev.sluice.config.lint;

import dev.sluice.config.lint.HandshakeCosts.Kind;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.read.ReadConfig;
import dev.sluice.config.yaml.ConfigProblem;
import java.util.List;

/** The rule on certificates with an RSA key only, whose signatures cost as much as the rest of a handshake. */
final class RsaOnlyRule implements LintRule {
    private static final String RSA = "RSA";

    @Override
    public List<ConfigProblem> findings(ReadConfig read, HandshakeCosts costs) {
        return read.config().certificates().stream()
                .filter(certificate -> certificate.keyPairs().stream()
                        .allMatch(pair -> pair.keyType().equals(RSA)))
                .map(certificate -> finding(certificate, read, costs))
                .toList();
    }

    private static ConfigProblem finding(CertificateConfig certificate, ReadConfig read, HandshakeCosts costs) {
        long rsa = costs.of(Kind.TLS13_RSA_FULL);
        long ecdsa = costs.of(Kind.TLS13_ECDSA_FULL);
        return read.at(
                "certificate " + certificate.name() + " has an RSA key only: a full handshake takes " + rsa
                        + " µs of CPU time instead of " + ecdsa
                        + " with ECDSA P-256; have one issued with ECDSA, and list both: chain: [ecdsa.pem, rsa.pem],"
                        + " key: [ecdsa.key, rsa.key] (" + costs.source() + ")",
                "certificates",
                certificate.name(),
                "chain");
    }
}
