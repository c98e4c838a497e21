package dev.sluice.tls.context;

import dev.sluice.tls.certificate.Identity;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The server contexts behind one port, selected by the client's server name (SNI): first an exact name, then a
 * wildcard, then the fallback. Without a fallback, clients with another name or none are rejected with the alert
 * unrecognized_name.
 *
 * <p>The selection happens in the ClientHello callback, before resumption, so that no session crosses virtual hosts.
 * Ticket keys, session cache and groups cannot differ: they are those of the fallback, or of the first context.
 *
 * <p>A selection is two look-ups in immutable maps, whatever the number of names. Contexts can be built lazily, when
 * the first client requests their name.
 */
public final class ServerNameSelector extends SharedContext {
    private final Map<String, DeferredContext> exact;
    private final Map<String, DeferredContext> wildcards;
    private final @Nullable DeferredContext fallback;
    private final TlsContext entry;
    private final List<DeferredContext> held;

    private ServerNameSelector(Builder builder) {
        Map<Object, DeferredContext> all = new HashMap<>();
        builder.all.forEach(choice -> all.put(choice, deferred(choice)));
        this.held = List.copyOf(all.values());
        this.exact = contexts(builder.exact, all);
        this.wildcards = contexts(builder.wildcards, all);
        this.fallback = builder.fallback == null ? null : all.get(builder.fallback);
        try {
            this.entry = Objects.requireNonNull(all.get(builder.entry())).get();
        } catch (RuntimeException e) {
            free();
            throw e;
        }
    }

    private static DeferredContext deferred(Object choice) {
        return choice instanceof TlsContext ready
                ? DeferredContext.of(ready)
                : DeferredContext.of((ServerContextBuilder) choice);
    }

    private static Map<String, DeferredContext> contexts(
            Map<String, Object> choices, Map<Object, DeferredContext> all) {
        Map<String, DeferredContext> contexts = HashMap.newHashMap(choices.size());
        choices.forEach((name, choice) -> contexts.put(name, Objects.requireNonNull(all.get(choice))));
        return contexts;
    }

    /** Creates a builder. */
    public static Builder builder() {
        return new Builder();
    }

    public @Override TlsContext entry() {
        return entry;
    }

    @Override
    public @Nullable TlsContext select(@Nullable String serverName) {
        DeferredContext named = serverName == null ? null : named(serverName);
        DeferredContext chosen = named == null ? fallback : named;
        return chosen == null ? null : chosen.get();
    }

    private @Nullable DeferredContext named(String serverName) {
        DeferredContext chosen = exact.get(serverName);
        int dot = serverName.indexOf('.');
        return chosen == null && dot > 0 ? wildcards.get(serverName.substring(dot + 1)) : chosen;
    }

    @Override
    public String configuredName(String serverName) {
        if (exact.containsKey(serverName)) {
            return serverName;
        }
        int dot = serverName.indexOf('.');
        return dot > 0 && wildcards.containsKey(serverName.substring(dot + 1)) ? "*" + serverName.substring(dot) : "";
    }

    /** Returns the number of contexts built so far: the first, and those requested by clients. */
    public int contextsMade() {
        return (int) held.stream().filter(DeferredContext::isMade).count();
    }

    @Override
    void free() {
        held.forEach(DeferredContext::close);
    }

    @Override
    public String toString() {
        return exact.size() + " server names, wildcards of " + wildcards.size();
    }

    /** A builder of selectors. The selector retains the contexts: they may be closed after the build. */
    public static final class Builder {
        private static final String WILDCARD = "*.";

        // Values are contexts, or builders of contexts built on demand.
        private final Map<String, Object> exact = new HashMap<>();
        private final Map<String, Object> wildcards = new HashMap<>();
        private final Set<Object> all = new LinkedHashSet<>();
        private @Nullable Object fallback;

        private Builder() {}

        /**
         * Adds a context for a name.
         *
         * @param pattern {@code api.example.com}, or {@code *.example.com} for all names with one more label
         */
        public Builder add(String pattern, TlsContext context) {
            requireServer(context);
            return choose(pattern, context);
        }

        /**
         * Adds a context for a name, built when the first client requests it.
         *
         * @param builder must not change afterwards; its certificates are already loaded ({@link Identity})
         */
        public Builder add(String pattern, ServerContextBuilder builder) {
            return choose(pattern, builder);
        }

        private Builder choose(String pattern, Object context) {
            String name = pattern.toLowerCase(Locale.ROOT);
            boolean wildcard = name.startsWith(WILDCARD);
            String key = wildcard ? name.substring(WILDCARD.length()) : name;
            if (key.isEmpty() || key.contains("*")) {
                throw new TlsConfigurationException("invalid server name pattern: \"" + pattern
                        + "\"; use a name such as api.example.com, or *.example.com");
            }
            Object other = (wildcard ? wildcards : exact).put(key, context);
            if (other != null && !other.equals(context)) {
                throw new TlsConfigurationException("duplicate server name: \"" + pattern + "\" for " + other
                        + " and for " + context + "; keep one");
            }
            all.add(context);
            return this;
        }

        /** Sets the context for clients without a server name, or with an unknown one. */
        public Builder fallback(TlsContext context) {
            requireServer(context);
            this.fallback = context;
            all.add(context);
            return this;
        }

        /** Sets the fallback from a builder, built with the selector: all connections start with it. */
        public Builder fallback(ServerContextBuilder builder) {
            this.fallback = builder;
            all.add(builder);
            return this;
        }

        /**
         * Builds the selector.
         *
         * @return the caller closes it
         */
        public ServerNameSelector build() {
            if (all.isEmpty()) {
                throw new TlsConfigurationException("a server name selector requires a context; add one");
            }
            return new ServerNameSelector(this);
        }

        private Object entry() {
            return fallback == null ? all.iterator().next() : fallback;
        }

        private static void requireServer(TlsContext context) {
            if (!context.isServer()) {
                throw new TlsConfigurationException("a client context cannot be used for a server: " + context);
            }
        }
    }
}
