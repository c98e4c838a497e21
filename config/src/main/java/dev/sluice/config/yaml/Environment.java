package dev.sluice.config.yaml;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The replacement of references to environment variables: {@code ${NAME}} and {@code ${NAME:-default}}. */
public final class Environment {
    /** A reference, an escaped one, or a malformed one. */
    private static final Pattern REFERENCE =
            Pattern.compile("\\$\\$\\{|\\$\\{(?<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?<default>[^}]*))?}|\\$\\{");

    private static final String FORM =
            "; write ${NAME} or ${NAME:-default}, in quotes between [ ] or { }, and $${ for ${ itself";

    private final Map<String, String> variables;

    public Environment(Map<String, String> variables) {
        this.variables = variables;
    }

    /** Returns the environment of this process. */
    public static Environment ofProcess() {
        return new Environment(System.getenv());
    }

    /** Returns true for a text without references, as nearly all are. */
    public static boolean isPlain(String text) {
        return !text.contains("${");
    }

    /**
     * Returns a text with its references replaced. An empty variable counts as unset, as in a shell.
     *
     * @throws IllegalArgumentException with cause and remedy, when a variable is unset and has no default
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
            throw new IllegalArgumentException("\"" + text + "\" is not a reference to the environment" + FORM);
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

    /** Returns the text that {@link #substitute} turns into this one. */
    public static String escaped(String text) {
        return text.replace("${", "$${");
    }
}
