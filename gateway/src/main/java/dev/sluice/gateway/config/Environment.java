package dev.sluice.gateway.config;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Puts variables of the environment where a value names them: {@code ${NAME}} and {@code ${NAME:-default}}. */
final class Environment {
    /** A reference, an escaped one, or what looks like one and is none. */
    private static final Pattern REFERENCE =
            Pattern.compile("\\$\\$\\{|\\$\\{(?<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?<default>[^}]*))?}|\\$\\{");

    private static final String FORM =
            "; write ${NAME} or ${NAME:-default}, in quotes between [ ] or { }, and $${ for ${ itself";

    private final Map<String, String> variables;

    Environment(Map<String, String> variables) {
        this.variables = variables;
    }

    /** That of this process. */
    static Environment ofProcess() {
        return new Environment(System.getenv());
    }

    /** Whether a text names none, which nearly all do. */
    static boolean isPlain(String text) {
        return !text.contains("${");
    }

    /**
     * A text with its references replaced. A variable that is empty counts as one that is not set, as in a shell.
     *
     * @throws IllegalArgumentException with cause and remedy, when one is not set and has no default
     */
    String substitute(String text) {
        Matcher matcher = REFERENCE.matcher(text);
        StringBuilder result = new StringBuilder();
        while (matcher.find()) {
            matcher.appendReplacement(result, Matcher.quoteReplacement(replacement(matcher, text)));
        }
        return matcher.appendTail(result).toString();
    }

    private String replacement(Matcher matcher, String text) {
        if (matcher.group().startsWith("$$")) {
            return "${";
        }
        String name = matcher.group("name");
        if (name == null) {
            throw new IllegalArgumentException("\"" + text + "\" is no reference to the environment" + FORM);
        }
        String value = variables.get(name);
        return value == null || value.isEmpty() ? fallback(name, matcher.group("default")) : value;
    }

    private static String fallback(String name, @Nullable String fallback) {
        if (fallback == null) {
            throw new IllegalArgumentException("the environment has no variable " + name
                    + "; set it where the gateway is started, or give a default: ${" + name + ":-default}");
        }
        return fallback;
    }

    /** A text that {@link #substitute} leaves as this one is. */
    static String escaped(String text) {
        return text.replace("${", "$${");
    }
}
