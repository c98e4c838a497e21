package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.config.BackendConfig;
import dev.sluice.gateway.config.Balance;
import dev.sluice.gateway.config.ProxyProtocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerAddressesTest {
    private final HealthLines lines = new HealthLines();
    private final ServerAddresses addresses;

    ServerAddressesTest() throws IOException {
        addresses = new ServerAddresses(new BackendConfig(
                "web",
                List.of(
                        new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 80),
                        new InetSocketAddress(named("192.0.2.2"), 8080)),
                Balance.ROUND_ROBIN,
                ProxyProtocol.NONE,
                Duration.ofSeconds(1)));
    }

    @Test
    void aServerFollowsItsName() {
        lookUp("192.0.2.7", "192.0.2.8");

        assertThat(addresses.get(1)).isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 8080));
        assertThat(lines.lines()).containsExactly("INFO backend web: web.example is now 192.0.2.7, and was 192.0.2.2");
        lookUp("192.0.2.8", "192.0.2.9");
        assertThat(((InetSocketAddress) addresses.get(1)).getAddress()).isEqualTo(InetAddress.ofLiteral("192.0.2.8"));
    }

    @Test
    void aServerStaysWhereItIsAsLongAsItsNameStandsForThat() {
        lookUp("192.0.2.9", "192.0.2.2");
        lookUp("192.0.2.2", "192.0.2.9");

        assertThat(((InetSocketAddress) addresses.get(1)).getAddress()).isEqualTo(InetAddress.ofLiteral("192.0.2.2"));
        assertThat(lines.lines()).isEmpty();
    }

    @Test
    void aNameThatDoesNotResolveChangesNothingAndIsToldOnce() {
        for (int i = 0; i < 3; i++) {
            addresses.lookUp(
                    name -> {
                        throw new UnknownHostException(name);
                    },
                    lines);
        }
        assertThat(((InetSocketAddress) addresses.get(1)).getAddress()).isEqualTo(InetAddress.ofLiteral("192.0.2.2"));
        assertThat(lines.lines())
                .containsExactly("WARN backend web: web.example does not resolve any more; 192.0.2.2 stays");
    }

    private void lookUp(String... found) {
        addresses.lookUp(
                name -> {
                    assertThat(name).as("addresses are not looked up").isEqualTo("web.example");
                    InetAddress[] result = new InetAddress[found.length];
                    for (int i = 0; i < found.length; i++) {
                        result[i] = named(found[i]);
                    }
                    return result;
                },
                lines);
    }

    private static InetAddress named(String address) throws UnknownHostException {
        return InetAddress.getByAddress(
                "web.example", InetAddress.ofLiteral(address).getAddress());
    }
}
