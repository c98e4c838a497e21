package dev.sluice.config.lint;

import dev.sluice.config.read.ReadConfig;
import dev.sluice.config.yaml.ConfigProblem;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The cost warnings of a configuration: avoidable costs in numbers, each with its position and the remedy. */
public final class CostLint {
    private static final List<LintRule> RULES = List.of(
            new RsaOnlyRule(),
            new ChainRule(),
            new CipherRule(),
            new TicketRule(InstantSource.system()),
            new HandshakeLimitRule(Runtime.getRuntime().availableProcessors()));

    private final ReadConfig read;
    private final HandshakeCosts costs;

    /** Creates the warnings of a configuration, given the costs of handshakes. */
    public CostLint(ReadConfig read, HandshakeCosts costs) {
        this.read = read;
        this.costs = costs;
    }

    /** Returns the findings of all rules. */
    public List<ConfigProblem> findings() {
        List<ConfigProblem> all = new ArrayList<>();
        RULES.forEach(rule -> all.addAll(rule.findings(read, costs)));
        return all;
    }
}
