package dev.sluice.config.lint;

import dev.sluice.config.read.ReadConfig;
import dev.sluice.config.yaml.ConfigProblem;
import java.util.List;

/** A check for one avoidable cost of a configuration. */
@FunctionalInterface
interface LintRule {
    /** Returns the findings: position, figure and remedy. */
    List<ConfigProblem> findings(ReadConfig read, HandshakeCosts costs);
}
