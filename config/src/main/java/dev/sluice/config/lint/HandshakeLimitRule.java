package dev.sluice.config.lint;

import dev.sluice.config.lint.HandshakeCosts.Kind;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.read.ReadConfig;
import dev.sluice.config.yaml.ConfigProblem;
import java.util.List;

/** The rule on limits above the capacity of the processors. */
final class HandshakeLimitRule implements LintRule {
    private static final double MICROS_PER_SECOND = 1e6;

    private final int processors;

    HandshakeLimitRule(int processors) {
        this.processors = processors;
    }

    @Override
    public List<ConfigProblem> findings(ReadConfig read, HandshakeCosts costs) {
        GatewayConfig config = read.config();
        int limit = config.limits().handshakes().perSecond();
        Kind kind = hasOnlyRsa(config) ? Kind.TLS13_RSA_FULL : Kind.TLS13_ECDSA_FULL;
        int cores = Math.min(config.loops(), processors);
        long possible = Math.round(cores * MICROS_PER_SECOND / costs.of(kind));
        if (limit <= possible) {
            return List.of();
        }
        return List.of(read.at(
                "handshakes-per-second is " + limit + ", and " + cores + (cores == 1 ? " core does" : " cores do")
                        + " about " + possible + " (" + costs.of(kind)
                        + " µs of CPU time each): it never takes effect, and"
                        + " handshake-queue alone decides; set it below that, or remove it (" + costs.source() + ")",
                "limits",
                "handshakes-per-second"));
    }

    private static boolean hasOnlyRsa(GatewayConfig config) {
        return config.certificates().stream()
                .map(CertificateConfig::keyPairs)
                .allMatch(
                        pairs -> pairs.stream().allMatch(pair -> pair.keyType().equals("RSA")));
    }
}
