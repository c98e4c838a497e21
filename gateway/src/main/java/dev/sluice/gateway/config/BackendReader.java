package dev.sluice.gateway.config;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads one entry of the section {@code backends}; certificates must have been read before. */
final class BackendReader {
    private static final List<String> KEYS = List.of(
            "servers",
            "balance",
            "proxy-protocol",
            "connect-timeout",
            "retries",
            "tls",
            "health",
            "eject",
            "slow-start",
            "keepalive",
            "resolve");
    private static final List<String> HEALTH_KEYS =
            List.of("kind", "path", "host", "interval", "timeout", "rise", "fall");
    private static final List<String> EJECT_KEYS = List.of("after", "for", "longest");
    private static final Duration CONNECT_TIMEOUT_MIN = Duration.ofMillis(10);
    private static final Duration CONNECT_TIMEOUT_MAX = Duration.ofMinutes(5);
    private static final Duration INTERVAL_MIN = Duration.ofMillis(50);
    private static final Duration RESOLVE_MIN = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int IN_A_ROW_MAX = 100;
    private static final int RETRIES_MAX = 1000;

    private final Path directory;
    private final BackendTlsReader tlsReader;

    BackendReader(Path directory, TlsCheck check, Map<String, Optional<List<CertificateConfig>>> certificates) {
        this.directory = directory;
        this.tlsReader = new BackendTlsReader(directory, check, certificates);
    }

    /** The backend, or null when it has problems that leave none, which are reported. */
    @Nullable
    BackendConfig read(Value entry) {
        Section section = entry.section(KEYS);
        if (section == null) {
            return null;
        }
        Value servers = section.require("servers", "[127.0.0.1:8080]");
        List<SocketAddress> addresses = servers == null ? List.of() : addresses(servers);
        BackendTlsConfig tls = tlsReader.read(section.find("tls"));
        HealthConfig health = health(section.find("health"), tls != null);
        requireName(section.find("tls"), tls, addresses);
        BackendConfig config = new BackendConfig(
                entry.name(),
                addresses,
                section.choice("balance", Balance.class, Balance.ROUND_ROBIN),
                section.choice("proxy-protocol", ProxyProtocol.class, ProxyProtocol.NONE),
                section.duration(
                        "connect-timeout",
                        CONNECT_TIMEOUT_MIN,
                        CONNECT_TIMEOUT_MAX,
                        BackendConfig.DEFAULT_CONNECT_TIMEOUT),
                section.find("retries") == null
                        ? BackendConfig.ALL_OTHERS
                        : section.integer("retries", 0, RETRIES_MAX, BackendConfig.ALL_OTHERS),
                tls,
                health,
                eject(section.findOrEmpty("eject")),
                section.duration("slow-start", Duration.ZERO, HOUR, BackendConfig.DEFAULT_SLOW_START),
                IntakeReader.keepAlive(section),
                section.duration("resolve", RESOLVE_MIN, HOUR, Duration.ZERO));
        return addresses.isEmpty() ? null : config;
    }

    /** A certificate is for a name or an address, and a Unix socket has neither. */
    private static void requireName(
            @Nullable Value value, @Nullable BackendTlsConfig tls, List<SocketAddress> servers) {
        if (value != null && tls != null && tls.verify() && tls.serverName().isEmpty()) {
            servers.stream()
                    .filter(UnixDomainSocketAddress.class::isInstance)
                    .findFirst()
                    .ifPresent(server -> value.problem("tls is verified by name, and " + BackendConfig.text(server)
                            + " has none; add server-name: NAME, or verify: off"));
        }
    }

    // --- health -----------------------------------------------------------------------------------------------------

    private static @Nullable HealthConfig health(@Nullable Value value, boolean tls) {
        Section section = value == null ? null : value.section(HEALTH_KEYS);
        if (section == null) {
            return null;
        }
        HealthConfig fallback = HealthConfig.DEFAULT;
        HealthConfig.Kind kind = section.choice("kind", HealthConfig.Kind.class, fallback.kind());
        Duration interval = section.duration("interval", INTERVAL_MIN, HOUR, fallback.interval());
        if (kind == HealthConfig.Kind.TLS && !tls) {
            section.problem("health kind is tls, but the backend has no tls; add tls: on, or check by connect or http");
        }
        return new HealthConfig(
                kind,
                requestText(section, "path", kind, fallback.path()),
                requestText(section, "host", kind, fallback.host()),
                interval,
                section.duration("timeout", CONNECT_TIMEOUT_MIN, CONNECT_TIMEOUT_MAX, fallback.timeout()),
                section.integer("rise", 1, IN_A_ROW_MAX, fallback.rise()),
                section.integer("fall", 1, IN_A_ROW_MAX, fallback.fall()));
    }

    /** What becomes part of a request's head must not end it. */
    private static String requestText(Section section, String key, HealthConfig.Kind kind, String fallback) {
        Value value = section.find(key);
        String text = value == null ? null : value.text();
        if (value == null || text == null) {
            return fallback;
        }
        if (kind != HealthConfig.Kind.HTTP) {
            value.problem(key + " has no effect without kind: http; add that, or leave " + key + " out");
        }
        boolean visible = !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c < 0x7F);
        if (!visible || (key.equals("path") && !text.startsWith("/"))) {
            value.problem(key + " is \"" + text + "\"; write it as it stands in a request, without spaces"
                    + (key.equals("path") ? ", beginning with /" : ""));
            return fallback;
        }
        return text;
    }

    private static @Nullable EjectConfig eject(Value value) {
        if (!value.isSection()) {
            return value.onOff(true) ? EjectConfig.DEFAULT : null;
        }
        Section section = value.section(EJECT_KEYS);
        if (section == null) {
            return null;
        }
        EjectConfig fallback = EjectConfig.DEFAULT;
        Duration time = section.duration("for", INTERVAL_MIN, HOUR, fallback.time());
        Duration longestByDefault = time.compareTo(fallback.longest()) > 0 ? time : fallback.longest();
        Duration longest = section.duration("longest", INTERVAL_MIN, HOUR, longestByDefault);
        if (longest.compareTo(time) < 0) {
            section.problem("longest is " + Quantities.text(longest) + ", and less than for: " + Quantities.text(time)
                    + "; make it as long at least");
            longest = time;
        }
        return new EjectConfig(section.integer("after", 1, IN_A_ROW_MAX, fallback.after()), time, longest);
    }

    // --- servers ----------------------------------------------------------------------------------------------------

    private List<SocketAddress> addresses(Value servers) {
        List<SocketAddress> addresses = new ArrayList<>();
        for (Value item : servers.items()) {
            SocketAddress address = address(item);
            if (address == null) {
                continue;
            }
            if (addresses.contains(address)) {
                item.problem("server " + BackendConfig.text(address) + " stands twice; remove one");
            } else {
                addresses.add(address);
            }
        }
        return addresses;
    }

    private @Nullable SocketAddress address(Value item) {
        String text = item.text();
        if (text == null) {
            return null;
        }
        try {
            SocketAddress address = Addresses.toConnect(text, directory);
            if (address instanceof UnixDomainSocketAddress) {
                item.means(BackendConfig.text(address));
            }
            return address;
        } catch (IllegalArgumentException bad) {
            item.problem(String.valueOf(bad.getMessage()));
            return null;
        }
    }
}
