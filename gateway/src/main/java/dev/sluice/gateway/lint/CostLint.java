package dev.sluice.gateway.lint;

import dev.sluice.gateway.config.ConfigProblem;
import dev.sluice.gateway.config.ReadConfig;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Tells in numbers what a configuration costs more than it need, each with its place and the remedy. */
public final class CostLint {
    private static final List<LintRule> RULES = List.of(
            new RsaOnlyRule(),
            new ChainRule(),
            new CipherRule(),
            new TicketRule(InstantSource.system()),
            new HandshakeLimitRule(Runtime.getRuntime().availableProcessors()));

    private final ReadConfig read;
    private final HandshakeCosts costs;

    /** @param costs what handshakes take */
    public CostLint(ReadConfig read, HandshakeCosts costs) {
        this.read = read;
        this.costs = costs;
    }

    /** All that there is to tell, rule by rule. */
    public List<ConfigProblem> findings() {
        List<ConfigProblem> all = new ArrayList<>();
        RULES.forEach(rule -> all.addAll(rule.findings(read, costs)));
        return all;
    }
}
