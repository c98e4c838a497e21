package dev.sluice.gateway.backend;

import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.gateway.GatewayFixture;
import dev.sluice.net.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests in a JVM set up like a program that embeds the gateway: addresses are kept for 30 s unless configured
 * otherwise.
 */
class NameCacheWarningsTest {
    private static final SocketAddress NAMED = InetSocketAddress.createUnresolved("web.example", 80);

    @Test
    void aCacheThatIsSlowerThanTheConfigurationIsToldOf() {
        assertThat(warnings(NAMED, Duration.ofSeconds(2)))
                .singleElement()
                .asString()
                .contains("resolve is 2s", "for 30s", "networkaddress.cache.ttl");
        assertThat(warnings(NAMED, Duration.ofSeconds(30))).isEmpty();
        assertThat(warnings(NAMED, Duration.ZERO)).isEmpty();
        SocketAddress number = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 80);
        assertThat(warnings(number, Duration.ofSeconds(2))).isEmpty();
    }

    @Test
    void propertiesAreReadAsTheJdkReadsThem() {
        assertThat(NameCacheWarnings.seconds(null, null)).isEqualTo(30);
        assertThat(NameCacheWarnings.seconds("0", "7")).isZero();
        assertThat(NameCacheWarnings.seconds("", "7")).isEqualTo(7);
        assertThat(NameCacheWarnings.seconds("-5", null)).isEqualTo(-1);
    }

    private static List<String> warnings(SocketAddress server, Duration resolve) {
        BackendConfig like = backend("web", ProxyProtocol.NONE, server);
        BackendConfig config = new BackendConfig(
                like.name(),
                like.servers(),
                like.balance(),
                like.proxyProtocol(),
                like.connectTimeout(),
                like.retries(),
                null,
                null,
                like.eject(),
                like.slowStart(),
                like.keepAlive(),
                resolve,
                like.connect());
        return NameCacheWarnings.of(new GatewayFixture(EventLoop.Backend.EPOLL).config(route(config)));
    }
}
