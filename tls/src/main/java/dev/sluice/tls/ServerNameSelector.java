package dev.sluice.tls;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Several server contexts behind one port, chosen by the name that the client asks for (SNI): first an exact name, then a
 * wildcard, then the fallback. Without a fallback, clients with another name or none are refused with the alert
 * unrecognized_name.
 *
 * <p>The choice is made in the ClientHello callback, before a session is resumed, so that no session crosses from one
 * virtual host to another. What cannot differ is that of the fallback, or of the first without one: ticket keys, session
 * cache, groups.
 */
public final class ServerNameSelector extends SharedContext {
    private final Map<String, TlsContext> exact;
    private final Map<String, TlsContext> wildcards;
    private final @Nullable TlsContext fallback;
    private final TlsContext entry;
    private final Set<TlsContext> held;

    private ServerNameSelector(Builder builder, TlsContext entry) {
        this.exact = Map.copyOf(builder.exact);
        this.wildcards = Map.copyOf(builder.wildcards);
        this.fallback = builder.fallback;
        this.entry = entry;
        this.held = Set.copyOf(builder.all);
        held.forEach(TlsContext::retain);
    }

    /** Begins a selector. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    TlsContext entry() {
        return entry;
    }

    @Override
    @Nullable
    TlsContext select(@Nullable String serverName) {
        if (serverName == null) {
            return fallback;
        }
        TlsContext chosen = exact.get(serverName);
        int dot = serverName.indexOf('.');
        if (chosen == null && dot > 0) {
            chosen = wildcards.get(serverName.substring(dot + 1));
        }
        return chosen == null ? fallback : chosen;
    }

    @Override
    void free() {
        held.forEach(TlsContext::release);
    }

    @Override
    public String toString() {
        return "server names " + List.copyOf(exact.keySet()) + ", wildcards of " + List.copyOf(wildcards.keySet());
    }

    /** Builds a selector. It holds the contexts itself: they may be closed as soon as it is built. */
    public static final class Builder {
        private static final String WILDCARD = "*.";

        private final Map<String, TlsContext> exact = new HashMap<>();
        private final Map<String, TlsContext> wildcards = new HashMap<>();
        private final Set<TlsContext> all = new LinkedHashSet<>();
        private @Nullable TlsContext fallback;

        private Builder() {}

        /**
         * A context for a name.
         *
         * @param pattern {@code api.example.com}, or {@code *.example.com} for all names one label deeper
         */
        public Builder add(String pattern, TlsContext context) {
            requireServer(context);
            String name = pattern.toLowerCase(Locale.ROOT);
            boolean wildcard = name.startsWith(WILDCARD);
            String key = wildcard ? name.substring(WILDCARD.length()) : name;
            if (key.isEmpty() || key.contains("*")) {
                throw new TlsConfigurationException("server name pattern is not usable: \"" + pattern
                        + "\"; give a name such as api.example.com, or *.example.com");
            }
            TlsContext other = (wildcard ? wildcards : exact).put(key, context);
            if (other != null && !other.equals(context)) {
                throw new TlsConfigurationException("server name is given twice: \"" + pattern + "\" for " + other
                        + " and for " + context + "; keep one");
            }
            all.add(context);
            return this;
        }

        /** The context for clients that send no name, or one that nobody answers to. */
        public Builder fallback(TlsContext context) {
            requireServer(context);
            this.fallback = context;
            all.add(context);
            return this;
        }

        /**
         * Makes the selector.
         *
         * @return the caller closes it
         */
        public ServerNameSelector build() {
            if (all.isEmpty()) {
                throw new TlsConfigurationException("a server name selector needs a context; add one");
            }
            return new ServerNameSelector(
                    this, fallback == null ? all.iterator().next() : fallback);
        }

        private static void requireServer(TlsContext context) {
            if (!context.isServer()) {
                throw new TlsConfigurationException("a client's context cannot serve: " + context);
            }
        }
    }
}
