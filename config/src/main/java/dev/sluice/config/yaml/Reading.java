package dev.sluice.config.yaml;

import java.util.IdentityHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** The state shared by the readers of one configuration: problems, environment, and a transcript. */
public final class Reading {
    private final Problems problems;
    private final Environment environment;
    private final HostLookup hosts;
    private final ReadingTranscript transcript = new ReadingTranscript();
    /** Texts by node, so that an unset variable is reported once, however often the value is read. */
    private final IdentityHashMap<Node, Optional<String>> substituted = new IdentityHashMap<>();

    public Reading(Problems problems, Environment environment, HostLookup hosts) {
        this.problems = problems;
        this.environment = environment;
        this.hosts = hosts;
    }

    /** Returns the resolver of names to listen on. */
    HostLookup hosts() {
        return hosts;
    }

    public Problems problems() {
        return problems;
    }

    public ReadingTranscript transcript() {
        return transcript;
    }

    /** Returns a scalar's text, its variables replaced; null when one is unset, which is reported. */
    public @Nullable String text(ScalarNode scalar) {
        String text = scalar.getValue();
        return Environment.isPlain(text)
                ? text
                : substituted.computeIfAbsent(scalar, _ -> substitute(scalar)).orElse(null);
    }

    private Optional<String> substitute(ScalarNode scalar) {
        try {
            return Optional.of(environment.substitute(scalar.getValue()));
        } catch (IllegalArgumentException unset) {
            problems.add(scalar, String.valueOf(unset.getMessage()));
            return Optional.empty();
        }
    }
}
