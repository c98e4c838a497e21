package dev.sluice.gateway.lint;

import dev.sluice.gateway.config.ConfigProblem;
import dev.sluice.gateway.config.ReadConfig;
import java.util.List;

/** Looks for one way in which a configuration costs more than it need. */
@FunctionalInterface
interface LintRule {
    /** What it has found: place, figure and remedy. */
    List<ConfigProblem> findings(ReadConfig read, HandshakeCosts costs);
}
