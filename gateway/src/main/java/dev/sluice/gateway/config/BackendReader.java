package dev.sluice.gateway.config;

import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one entry of the section {@code backends}. */
final class BackendReader {
    private static final List<String> KEYS = List.of("servers", "balance", "proxy-protocol", "connect-timeout");
    private static final Duration CONNECT_TIMEOUT_MIN = Duration.ofMillis(10);
    private static final Duration CONNECT_TIMEOUT_MAX = Duration.ofMinutes(5);

    private final Path directory;

    BackendReader(Path directory) {
        this.directory = directory;
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
        Balance balance = section.choice("balance", Balance.class, Balance.ROUND_ROBIN);
        ProxyProtocol proxyProtocol = section.choice("proxy-protocol", ProxyProtocol.class, ProxyProtocol.NONE);
        Duration connectTimeout = section.duration(
                "connect-timeout", CONNECT_TIMEOUT_MIN, CONNECT_TIMEOUT_MAX, BackendConfig.DEFAULT_CONNECT_TIMEOUT);
        return addresses.isEmpty()
                ? null
                : new BackendConfig(entry.name(), addresses, balance, proxyProtocol, connectTimeout);
    }

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
            return Addresses.toConnect(text, directory);
        } catch (IllegalArgumentException bad) {
            item.problem(String.valueOf(bad.getMessage()));
            return null;
        }
    }
}
