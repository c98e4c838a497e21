package dev.sluice.config.read;

import dev.sluice.config.key.BackendKeys;
import dev.sluice.config.key.Key;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendConfig.ConnectMode;
import dev.sluice.config.model.BackendTlsConfig;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.EjectConfig;
import dev.sluice.config.model.HealthConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.ResolveConfig;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.config.yaml.Quantities;
import dev.sluice.config.yaml.ServiceName;
import dev.sluice.config.yaml.Value;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The reader of an entry of {@code backends}; certificates must have been read before. */
final class BackendReader {
    private final Path directory;
    private final BackendTlsReader tlsReader;

    BackendReader(Path directory, TlsCheck check, Map<String, Optional<List<CertificateConfig>>> certificates) {
        this.directory = directory;
        this.tlsReader = new BackendTlsReader(directory, check, certificates);
    }

    /** Reads a backend; null when its problems, which are reported, leave none. */
    @Nullable
    BackendConfig read(Value entry) {
        Section section = Section.of(entry, BackendKeys.SECTION);
        if (section == null) {
            return null;
        }
        Value servers = section.require(BackendKeys.SERVERS);
        List<ServerConfig> listed = servers == null ? List.of() : servers(servers);
        BackendTlsConfig tls = tlsReader.read(section.find(BackendKeys.TLS_OR_NOT));
        HealthConfig health = health(section.find(BackendKeys.HEALTH_CHECKS), tls != null);
        requireName(section.find(BackendKeys.TLS_OR_NOT), tls, listed);
        BackendConfig config = new BackendConfig(
                entry.name(),
                listed,
                section.get(BackendKeys.BALANCE),
                section.get(BackendKeys.PROXY_PROTOCOL),
                section.get(BackendKeys.CONNECT_TIMEOUT),
                section.get(BackendKeys.RETRIES),
                tls,
                health,
                eject(section.findOrEmpty(BackendKeys.EJECTION)),
                section.get(BackendKeys.SLOW_START),
                section.get(BackendKeys.KEEPALIVE),
                new ResolveConfig(section.get(BackendKeys.RESOLVE), nameservers(section.find(BackendKeys.NAMESERVERS))),
                connect(section));
        return listed.isEmpty() ? null : config;
    }

    /** Requires a server name for Unix sockets, which have neither a name nor an address to verify. */
    private static void requireName(@Nullable Value value, @Nullable BackendTlsConfig tls, List<ServerConfig> servers) {
        if (value != null && tls != null && tls.verify() && tls.serverName().isEmpty()) {
            servers.stream()
                    .map(ServerConfig::address)
                    .filter(UnixDomainSocketAddress.class::isInstance)
                    .findFirst()
                    .ifPresent(server -> value.problem("tls is verified by name, and " + BackendConfig.text(server)
                            + " has none; add server-name: NAME, or verify: off"));
        }
    }

    private static ConnectMode connect(Section section) {
        ConnectMode timing = section.get(BackendKeys.CONNECT);
        if (timing == ConnectMode.AT_HELLO && section.get(BackendKeys.PROXY_PROTOCOL) == ProxyProtocol.V2) {
            section.problem("connect is at-hello, but the header of proxy-protocol: v2 reports the handshake, which is"
                    + " not complete then; use proxy-protocol: v1, or connect: at-once");
        }
        return timing;
    }

    // --- health -----------------------------------------------------------------------------------------------------

    private static @Nullable HealthConfig health(@Nullable Value value, boolean tls) {
        Section section = value == null ? null : Section.of(value, BackendKeys.HEALTH);
        if (section == null) {
            return null;
        }
        HealthConfig fallback = HealthConfig.DEFAULT;
        HealthConfig.Kind kind = section.get(BackendKeys.HEALTH_KIND);
        Duration interval = section.get(BackendKeys.HEALTH_INTERVAL);
        if (kind == HealthConfig.Kind.TLS && !tls) {
            section.problem("health kind is tls, but the backend has no tls; add tls: on, or check by connect or http");
        }
        return new HealthConfig(
                kind,
                requestText(section, BackendKeys.HEALTH_PATH, kind, fallback.path()),
                requestText(section, BackendKeys.HEALTH_HOST, kind, fallback.host()),
                interval,
                section.get(BackendKeys.HEALTH_TIMEOUT),
                section.get(BackendKeys.HEALTH_RISE),
                section.get(BackendKeys.HEALTH_FALL));
    }

    /** Reads a part of a request's head, which must not end the head. */
    private static String requestText(Section section, Key key, HealthConfig.Kind kind, String fallback) {
        Value value = section.find(key);
        String text = value == null ? null : value.text();
        if (value == null || text == null) {
            return fallback;
        }
        if (kind != HealthConfig.Kind.HTTP) {
            value.problem(key + " has no effect without kind: http; add that, or leave " + key + " out");
        }
        boolean visible = !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c < 0x7F);
        if (!visible || (key == BackendKeys.HEALTH_PATH && !text.startsWith("/"))) {
            value.problem(key + " is \"" + text + "\"; write it as in a request, without spaces"
                    + (key == BackendKeys.HEALTH_PATH ? ", starting with /" : ""));
            return fallback;
        }
        return text;
    }

    private static @Nullable EjectConfig eject(Value value) {
        if (!value.isSection()) {
            return value.onOff(true) ? EjectConfig.DEFAULT : null;
        }
        Section section = Section.of(value, BackendKeys.EJECT);
        if (section == null) {
            return null;
        }
        EjectConfig fallback = EjectConfig.DEFAULT;
        Duration time = section.get(BackendKeys.EJECT_FOR);
        Duration longestByDefault = time.compareTo(fallback.longest()) > 0 ? time : fallback.longest();
        Duration longest = section.get(BackendKeys.EJECT_LONGEST, longestByDefault);
        if (longest.compareTo(time) < 0) {
            section.problem("longest is " + Quantities.text(longest) + ", less than for: " + Quantities.text(time)
                    + "; raise it to that at least");
            longest = time;
        }
        return new EjectConfig(section.get(BackendKeys.EJECT_AFTER), time, longest);
    }

    // --- names ------------------------------------------------------------------------------------------------------

    private List<InetSocketAddress> nameservers(@Nullable Value list) {
        List<InetSocketAddress> nameservers = new ArrayList<>();
        for (Value item : list == null ? List.<Value>of() : list.items()) {
            String text = item.text();
            InetSocketAddress server = text == null ? null : nameserver(text);
            if (server != null) {
                nameservers.add(server);
            } else if (text != null) {
                item.problem("nameservers has \"" + text + "\", which is no address of a DNS server; write it in"
                        + " numbers, for example 10.0.0.2:53");
            }
        }
        return nameservers;
    }

    private @Nullable InetSocketAddress nameserver(String text) {
        try {
            return Addresses.toConnect(text, directory) instanceof InetSocketAddress inet && !inet.isUnresolved()
                    ? inet
                    : null;
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    // --- servers ----------------------------------------------------------------------------------------------------

    private List<ServerConfig> servers(Value list) {
        List<ServerConfig> servers = new ArrayList<>();
        for (Value item : list.items()) {
            ServerConfig server = server(item);
            if (server == null) {
                continue;
            }
            if (servers.stream().anyMatch(other -> other.address().equals(server.address()))) {
                item.problem("server " + server.text() + " is listed twice; remove one");
            } else {
                servers.add(server);
            }
        }
        if (!servers.isEmpty() && servers.stream().allMatch(ServerConfig::isBackup)) {
            list.problem("servers are all backups; leave backup out of at least one");
        }
        return servers;
    }

    private @Nullable ServerConfig server(Value item) {
        if (!item.isSection()) {
            SocketAddress address = address(item);
            return address == null ? null : ServerConfig.of(address);
        }
        Section section = Section.of(item, BackendKeys.SERVER);
        if (section == null) {
            return null;
        }
        Value value = section.require(BackendKeys.SERVER_ADDRESS);
        int weight = section.get(BackendKeys.SERVER_WEIGHT);
        boolean backup = section.get(BackendKeys.SERVER_BACKUP);
        SocketAddress address = value == null ? null : address(value);
        Value given = section.find(BackendKeys.SERVER_WEIGHT);
        if (address instanceof ServiceName && given != null) {
            given.problem("weight has no effect with " + address + ", whose SRV records have the weights; remove it");
        }
        return address == null
                ? null
                : new ServerConfig(address, weight, backup ? ServerConfig.Role.BACKUP : ServerConfig.Role.PRIMARY);
    }

    private @Nullable SocketAddress address(Value item) {
        String text = item.text();
        if (text == null) {
            return null;
        }
        try {
            SocketAddress address = Addresses.ofServer(text, directory);
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
