package dev.sluice.gateway.lint;

import dev.sluice.gateway.config.ConfigProblem;
import dev.sluice.gateway.config.ReadConfig;
import java.util.List;

/** A check for one avoidable cost of a configuration. */
@FunctionalInterface
interface LintRule {
    /** Returns the findings: position, figure and remedy. */
    List<ConfigProblem> findings(ReadConfig read, HandshakeCosts costs);
}
