package dev.sluice.gateway;

import dev.sluice.config.log.AccessLogConfig;
import dev.sluice.config.model.AcceptPolicy;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendConfig.ConnectMode;
import dev.sluice.config.model.BackendTlsConfig;
import dev.sluice.config.model.EarlyDataMode;
import dev.sluice.config.model.EjectConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.HandshakeLimits;
import dev.sluice.config.model.HealthConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ListenerConfig.ClientFingerprint;
import dev.sluice.config.model.ResolveConfig;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.tls.context.HandshakePath;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builders of changed copies of configurations, for tests. */
public final class Copies {
    private Copies() {}

    /** Starts a copy of a configuration. */
    public static OfGateway of(GatewayConfig config) {
        return new OfGateway(config);
    }

    /** Starts a copy of a listener. */
    public static OfListener of(ListenerConfig config) {
        return new OfListener(config);
    }

    /** Starts a copy of a backend. */
    public static OfBackend of(BackendConfig config) {
        return new OfBackend(config);
    }

    /** Starts a copy of limits. */
    public static OfLimits of(LimitsConfig config) {
        return new OfLimits(config);
    }

    /** Starts a copy of bounds on handshakes. */
    public static OfHandshakes of(HandshakeLimits config) {
        return new OfHandshakes(config);
    }

    /** Starts a copy of TLS options. */
    public static OfTls of(TlsOptions config) {
        return new OfTls(config);
    }

    /** Starts a copy of the rules for tickets. */
    public static OfTickets of(TicketConfig config) {
        return new OfTickets(config);
    }

    /**
     * A copy of a record with some components changed.
     *
     * @param <R> the record
     */
    public abstract static class Copy<R extends Record> {
        private final R original;
        private final Map<String, @Nullable Object> changes = new HashMap<>();

        Copy(R original) {
            this.original = original;
        }

        final void set(String component, @Nullable Object value) {
            changes.put(component, value);
        }

        /** Returns the copy. */
        public R build() {
            @SuppressWarnings("unchecked")
            Class<R> type = (Class<R>) original.getClass();
            RecordComponent[] components = type.getRecordComponents();
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            try {
                @Nullable Object[] values = new Object[components.length];
                for (int i = 0; i < components.length; i++) {
                    String name = components[i].getName();
                    values[i] = changes.containsKey(name)
                            ? changes.get(name)
                            : components[i].getAccessor().invoke(original);
                }
                return type.getDeclaredConstructor(types).newInstance(values);
            } catch (InvocationTargetException e) {
                throw new IllegalArgumentException(e.getCause());
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }
    }

    /** A changed copy of a configuration. */
    public static final class OfGateway extends Copy<GatewayConfig> {
        OfGateway(GatewayConfig original) {
            super(original);
        }

        public OfGateway listeners(List<ListenerConfig> listeners) {
            set("listeners", listeners);
            return this;
        }

        public OfGateway limits(LimitsConfig limits) {
            set("limits", limits);
            return this;
        }

        public OfGateway loops(int loops) {
            set("loops", loops);
            return this;
        }

        public OfGateway tickets(@Nullable TicketConfig tickets) {
            set("tickets", tickets);
            return this;
        }

        public OfGateway accessLog(@Nullable AccessLogConfig accessLog) {
            set("accessLog", accessLog);
            return this;
        }
    }

    /** A changed copy of a listener. */
    public static final class OfListener extends Copy<ListenerConfig> {
        OfListener(ListenerConfig original) {
            super(original);
        }

        public OfListener fingerprint(ClientFingerprint fingerprint) {
            set("fingerprint", fingerprint);
            return this;
        }

        public OfListener acceptPolicy(AcceptPolicy policy) {
            set("acceptPolicy", policy);
            return this;
        }
    }

    /** A changed copy of a backend. */
    public static final class OfBackend extends Copy<BackendConfig> {
        OfBackend(BackendConfig original) {
            super(original);
        }

        public OfBackend servers(List<SocketAddress> servers) {
            return configs(servers.stream().map(ServerConfig::of).toList());
        }

        public OfBackend configs(List<ServerConfig> servers) {
            set("servers", servers);
            return this;
        }

        public OfBackend connect(ConnectMode connect) {
            set("connect", connect);
            return this;
        }

        public OfBackend retries(int retries) {
            set("retries", retries);
            return this;
        }

        public OfBackend connectTimeout(Duration timeout) {
            set("connectTimeout", timeout);
            return this;
        }

        public OfBackend tls(@Nullable BackendTlsConfig tls) {
            set("tls", tls);
            return this;
        }

        public OfBackend health(@Nullable HealthConfig health) {
            set("health", health);
            return this;
        }

        public OfBackend eject(@Nullable EjectConfig eject) {
            set("eject", eject);
            return this;
        }

        public OfBackend slowStart(Duration slowStart) {
            set("slowStart", slowStart);
            return this;
        }

        public OfBackend resolve(ResolveConfig resolve) {
            set("resolve", resolve);
            return this;
        }
    }

    /** A changed copy of limits. */
    public static final class OfLimits extends Copy<LimitsConfig> {
        OfLimits(LimitsConfig original) {
            super(original);
        }

        public OfLimits handshakeTimeout(Duration timeout) {
            set("handshakeTimeout", timeout);
            return this;
        }

        public OfLimits idleTimeout(Duration timeout) {
            set("idleTimeout", timeout);
            return this;
        }

        public OfLimits connectionsPerAddress(int most) {
            set("connectionsPerAddress", most);
            return this;
        }

        public OfLimits heldBytes(long bytes) {
            set("heldBytes", bytes);
            return this;
        }

        public OfLimits handshakes(HandshakeLimits handshakes) {
            set("handshakes", handshakes);
            return this;
        }
    }

    /** A changed copy of bounds on handshakes. */
    public static final class OfHandshakes extends Copy<HandshakeLimits> {
        OfHandshakes(HandshakeLimits original) {
            super(original);
        }

        public OfHandshakes inFlight(int most) {
            set("inFlight", most);
            return this;
        }

        public OfHandshakes perSecond(int most) {
            set("perSecond", most);
            return this;
        }

        public OfHandshakes perAddressPerSecond(int most) {
            set("perAddressPerSecond", most);
            return this;
        }
    }

    /** A changed copy of TLS options. */
    public static final class OfTls extends Copy<TlsOptions> {
        OfTls(TlsOptions original) {
            super(original);
        }

        public OfTls handshake(HandshakePath path) {
            set("handshake", path);
            return this;
        }

        public OfTls earlyData(EarlyDataMode mode) {
            set("earlyData", mode);
            return this;
        }
    }

    /** A changed copy of the rules for tickets. */
    public static final class OfTickets extends Copy<TicketConfig> {
        OfTickets(TicketConfig original) {
            super(original);
        }

        public OfTickets count(int count) {
            set("count", count);
            return this;
        }
    }
}
