package dev.sluice.gateway.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gateway.dns.Resolver.Answer;
import dev.sluice.gateway.dns.Resolver.Family;
import dev.sluice.gateway.dns.Resolver.Service;
import dev.sluice.testkit.DnsServer;
import dev.sluice.testkit.FreePort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions to a real DNS server. */
class DnsClientTest {
    private static final int MANY = 200;

    @TempDir
    Path directory;

    @Test
    void answersByFamilyWithTheirTimeToLive() throws Exception {
        try (DnsServer server = DnsServer.start("192.0.2.7 web.example", "2001:db8::7 web.example")) {
            DnsClient client = client(server.address());

            assertThat(client.addresses("web.example", Family.IPV4))
                    .isEqualTo(new Answer<>(List.of(InetAddress.ofLiteral("192.0.2.7")), Duration.ofSeconds(1)));
            assertThat(client.addresses("web.example", Family.IPV6))
                    .isEqualTo(new Answer<>(List.of(InetAddress.ofLiteral("2001:db8::7")), Duration.ofSeconds(1)));
        }
    }

    @Test
    void tellsANameThatThereIsNotFromOneWithoutAddresses() throws Exception {
        try (DnsServer server = DnsServer.start("192.0.2.7 web.example")) {
            DnsClient client = client(server.address());

            assertThat(client.addresses("absent.example", Family.IPV4)).isNull();
            assertThat(client.services("_http._tcp.absent.example")).isNull();
            assertThat(client.addresses("web.example", Family.IPV6)).isEqualTo(Answer.empty());
        }
    }

    @Test
    void anAliasHoldsForNoLongerThanItself() throws Exception {
        try (DnsServer server = DnsServer.start("192.0.2.7 web.example", "--cname=alias.example,web.example,0")) {
            assertThat(client(server.address()).addresses("alias.example", Family.IPV4))
                    .isEqualTo(new Answer<>(List.of(InetAddress.ofLiteral("192.0.2.7")), Duration.ZERO));
        }
    }

    @Test
    void answersTooLongForADatagramComeByTcp() throws Exception {
        String[] records = IntStream.range(0, MANY)
                .mapToObj(i -> "10.0.0." + i + " web.example")
                .toArray(String[]::new);
        try (DnsServer server = DnsServer.start(records)) {
            assertThat(addresses(client(server.address()))).hasSize(MANY);
        }
    }

    @Test
    void asksTheNextServerWhenOneIsDead() throws Exception {
        try (DnsServer server = DnsServer.start("192.0.2.7 web.example")) {
            DnsClient client = client(nobody(), server.address());

            assertThat(addresses(client)).containsExactly(InetAddress.ofLiteral("192.0.2.7"));
        }
    }

    @Test
    void aLookupWithoutAnAnswerNamesTheServersOrTheirError() {
        InetSocketAddress nobody = nobody();
        assertThatThrownBy(() -> client(nobody).addresses("web.example", Family.IPV4))
                .isInstanceOf(LookupException.class)
                .hasMessageContaining("web.example cannot be looked up (");
        try (DnsServer server = DnsServer.start("192.0.2.7 web.example")) {
            assertThatThrownBy(() -> client(server.address()).addresses("web.elsewhere", Family.IPV4))
                    .isInstanceOf(LookupException.class)
                    .hasMessageContaining("web.elsewhere cannot be looked up (REFUSED from 127.0.0.1:");
        }
    }

    @Test
    void servicesHaveTargetsPortsPrioritiesAndWeights() throws Exception {
        try (DnsServer server = DnsServer.start(
                "--srv-host=_http._tcp.shop.example,one.example,8081,10,20",
                "--srv-host=_http._tcp.shop.example,two.example,8082,20,30")) {
            Answer<Service> answer = client(server.address()).services("_http._tcp.shop.example");
            assertThat(Answer.orEmpty(answer).records())
                    .containsExactlyInAnyOrder(
                            new Service("one.example.", 8081, 10, 20), new Service("two.example.", 8082, 20, 30));
        }
    }

    @Test
    void aNameInTheHostsFileIsAskedOfTheSystem() throws Exception {
        Path hosts = Files.writeString(directory.resolve("hosts"), """
                # 192.0.2.1 commented.example
                192.0.2.1\tWeb.Example web # other.example
                ::1 localhost
                """);
        assertThat(Stream.of("web.example", "web.example.", "WEB", "localhost")
                        .filter(name -> HostsFile.lists(hosts, name)))
                .hasSize(4);
        assertThat(Stream.of("commented.example", "other.example", "192.0.2.1", "::1", "")
                        .filter(name -> HostsFile.lists(hosts, name)))
                .isEmpty();
        assertThat(HostsFile.lists(directory.resolve("absent"), "web")).isFalse();
        assertThat(new SystemResolver().addresses("localhost", Family.IPV4).records())
                .contains(InetAddress.ofLiteral("127.0.0.1"));
    }

    private static List<InetAddress> addresses(DnsClient client) throws LookupException {
        return Answer.orEmpty(client.addresses("web.example", Family.IPV4)).records();
    }

    private static DnsClient client(InetSocketAddress... servers) {
        assertThat(Dnsjava.isThere()).isTrue();
        return DnsClient.at(List.of(servers));
    }

    private static InetSocketAddress nobody() {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), FreePort.onLoopback());
    }
}
