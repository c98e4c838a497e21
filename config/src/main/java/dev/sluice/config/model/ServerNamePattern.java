package dev.sluice.config.model;

import java.util.Locale;

/**
 * A server name, or a wildcard for exactly one leftmost label (RFC 6125 section 6.4.3): {@code *.example.com} covers
 * {@code a.example.com}, but neither {@code example.com} nor {@code a.b.example.com}.
 *
 * @param text the pattern in lower case without a trailing dot; "" matches everything, a missing name included
 */
public record ServerNamePattern(String text) {
    /** Matches everything, also a client without a server name. */
    public static final ServerNamePattern ANY = new ServerNamePattern("");

    private static final String WILDCARD = "*.";

    /** Normalizes the pattern: lower case, without a trailing dot. */
    public ServerNamePattern {
        text = normalized(text);
    }

    /** Returns a server name normalized for comparison: lower case, without a trailing dot. */
    public static String normalized(String serverName) {
        String lower = serverName.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    /** Returns true for a wildcard. */
    boolean isWildcard() {
        return text.startsWith(WILDCARD);
    }

    /** Returns true for a name, and for a wildcard for one whole label. */
    public boolean isUsable() {
        String rest = isWildcard() ? text.substring(WILDCARD.length()) : text;
        return !rest.isBlank() && rest.indexOf('*') < 0;
    }

    /**
     * Returns the wildcard that covers a name: {@code *.example.com} for {@code a.example.com}; {@link #ANY}: none can.
     */
    public ServerNamePattern wildcard() {
        int dot = text.indexOf('.');
        return isWildcard() || dot < 0 ? ANY : new ServerNamePattern("*" + text.substring(dot));
    }

    /** Returns true when a {@link #normalized} server name is covered. */
    public boolean matches(String serverName) {
        if (text.isEmpty() || text.equals(serverName)) {
            return true;
        }
        int firstDot = serverName.indexOf('.');
        int suffixLength = text.length() - 1;
        return isWildcard()
                && firstDot > 0
                && serverName.length() - firstDot == suffixLength
                && text.regionMatches(1, serverName, firstDot, suffixLength);
    }

    @Override
    public String toString() {
        return text.isEmpty() ? "any" : text;
    }
}
