package dev.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.config.certificate.AgreeingTlsCheck;
import dev.sluice.config.certificate.CertificateFiles;
import dev.sluice.config.certificate.CertificateFindings;
import dev.sluice.config.certificate.CertificateOcsp;
import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.certificate.RevocationFacts;
import dev.sluice.config.log.AccessLogConfig;
import dev.sluice.config.model.AcceptPolicy;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendConfig.ConnectMode;
import dev.sluice.config.model.BackendTlsConfig;
import dev.sluice.config.model.Balance;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.ClientAuth;
import dev.sluice.config.model.EjectConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.HandshakeLimits;
import dev.sluice.config.model.HealthConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.OcspConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.RedisAddress;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.config.model.ServerConfig.Role;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.model.SessionSharing;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TicketStoreConfig;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.config.model.TlsProfile;
import dev.sluice.config.model.TlsVersion;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.config.yaml.ConfigProblem;
import dev.sluice.config.yaml.Words;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The reading of configuration files. */
class ConfigFileTest {
    private static final String MINIMAL = """
            listeners:
              - {address: 127.0.0.1:8443, certificates: [shop], backend: web}
            certificates:
              shop: {chain: shop.pem, key: shop.key}
            backends:
              web: {servers: [127.0.0.1:8080]}
            """;

    @TempDir
    Path directory;

    @BeforeEach
    void writeCertificates() throws IOException {
        copy(TestCertificates.shared().server(), "shop");
        copy(TestCertificates.shared().serverRsa(), "shop-rsa");
        copy(
                TestCertificates.shared()
                        .issue(CertificateRequest.named("api").forHosts("api.example.com", "*.api.example.com")),
                "api");
    }

    @BeforeEach
    void writeFleetKey() throws IOException {
        Files.write(directory.resolve("fleet.key"), new byte[32]);
    }

    private void copy(Credential credential, String name) throws IOException {
        Files.copy(credential.chainFile(), directory.resolve(name + ".pem"));
        Files.copy(credential.keyFile(), directory.resolve(name + ".key"));
    }

    @Test
    void readsTickets() throws Exception {
        GatewayConfig config =
                read(MINIMAL.replace("backends:", "tickets: {rotate: 1h, keep: 3h, count: 4}\nbackends:"));

        assertThat(config.tickets())
                .isEqualTo(new TicketConfig(
                        Duration.ofHours(1), Duration.ofHours(3), TicketStoreConfig.IN_MEMORY, SessionSharing.NONE, 4));
    }

    @Test
    void readsTheAccessLog() throws Exception {
        assertThat(read(MINIMAL).accessLog()).isNull();
        assertThat(read(MINIMAL + "access-log: off\n").accessLog()).isNull();
        assertThat(read(MINIMAL + "access-log: {file: \"-\"}\n").accessLog())
                .isEqualTo(new AccessLogConfig(null, 1, 100 << 20, 5));
        assertThat(read(MINIMAL + "access-log: {file: a.log, sample: 0.5, max-size: 2MiB, keep: 3}\n")
                        .accessLog())
                .isEqualTo(new AccessLogConfig(directory.resolve("a.log"), 0.5, 2 << 20, 3));
    }

    @Test
    void rejectsEarlyDataWithoutTickets() throws Exception {
        ConfigException problem = problem(MINIMAL.replace("backend: web}", "backend: web, early-data: hold}")
                .replace("backends:", "tickets: off\nbackends:"));

        assertThat(problem)
                .hasMessageContaining("early-data is hold, but tickets are off, and only clients with a ticket can send"
                        + " early data; set tickets: on, or early-data: off");
    }

    /** HTTP/1.1 and the PROXY header can mark early data for a backend. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "backend: web, early-data: hold}",
                "backend: web, alpn: [http/1.1], early-data: forward}",
                "alpn: [h2, http/1.1], routes: [{alpn: http/1.1, backend: web}], early-data: forward}",
                "backend: web, alpn: [h2, http/1.1], early-data: off}"
            })
    void acceptsEarlyDataThatCanBeMarked(String listener) throws Exception {
        GatewayConfig config = read(MINIMAL.replace("backend: web}", listener));

        assertThat(listener)
                .contains("early-data: "
                        + Words.dashed(config.listeners().getFirst().tls().earlyData()));
    }

    @Test
    void readsTheStoreOfTicketKeys() throws Exception {
        Path key = directory.resolve("fleet.key");
        GatewayConfig config = read(MINIMAL.replace(
                "backends:",
                "tickets: {store: \"rediss://u:p%40ss@[::1]:7/2?key=a:b\", fleet-key: fleet.key, poll: 2s, store-ca:"
                        + " shop.pem, cache: kept}\nadmin: unix:admin.sock\nbackends:"));
        RedisAddress address = new RedisAddress("[::1]", 7, true, "u", "p@ss", 2, "a:b");

        assertThat(config.admin().socket()).isEqualTo(directory.resolve("admin.sock"));
        assertThat(config.tickets())
                .isEqualTo(new TicketConfig(
                        TicketConfig.DEFAULT.rotate(),
                        TicketConfig.DEFAULT.keep(),
                        new TicketStoreConfig.Redis(
                                address,
                                key,
                                Duration.ofSeconds(2),
                                directory.resolve("shop.pem"),
                                directory.resolve("kept")),
                        SessionSharing.NONE));
        assertThat(address).hasToString("rediss://[::1]:7/2?key=a:b");
        assertThat(RedisAddress.parse("redis://host").toString()).isEqualTo("redis://host:6379");

        assertThat(tickets("{store: local:state, shared-with: nginx-stream}"))
                .isEqualTo(new TicketConfig(
                        TicketConfig.DEFAULT.rotate(),
                        TicketConfig.DEFAULT.keep(),
                        new TicketStoreConfig.Local(directory.resolve("state"), null),
                        SessionSharing.NGINX_STREAM));
        assertThat(tickets("{store: \"file:keys\"}"))
                .extracting(TicketConfig::store)
                .isEqualTo(new TicketStoreConfig.Directory(directory.resolve("keys")));
    }

    private @Nullable TicketConfig tickets(String section) throws Exception {
        return read(MINIMAL.replace("backends:", "tickets: " + section + "\nbackends:"))
                .tickets();
    }

    // --- backends ---------------------------------------------------------------------------------------------------

    @Test
    void readsHealthChecksAndTlsOfABackend() throws Exception {
        BackendConfig backend =
                backend("servers: [127.0.0.1:8080], balance: hash, retries: 2, slow-start: 0s, resolve: 30s,"
                        + " keepalive: 1m, connect: at-hello, tls: {ca: shop.pem, server-name: web.internal,"
                        + " certificate: shop, min-version: \"1.3\","
                        + " alpn: [h2]}, eject: {after: 5, for: 2m}, health: {kind: http, path: /up, host: web,"
                        + " interval: 1s,"
                        + " timeout: 500ms, rise: 1, fall: 4}");

        assertThat(backend.balance()).isEqualTo(Balance.HASH);
        assertThat(backend.retries()).isEqualTo(2);
        assertThat(backend.slowStart()).isZero();
        assertThat(backend.resolve().longest()).hasSeconds(30);
        assertThat(backend.keepAlive()).hasMinutes(1);
        assertThat(backend.connect()).isEqualTo(ConnectMode.AT_HELLO);
        assertThat(backend.eject()).isEqualTo(new EjectConfig(5, Duration.ofMinutes(2), Duration.ofMinutes(2)));
        assertThat(backend.health())
                .isEqualTo(new HealthConfig(
                        HealthConfig.Kind.HTTP, "/up", "web", Duration.ofSeconds(1), Duration.ofMillis(500), 1, 4));
        BackendTlsConfig tls = Objects.requireNonNull(backend.tls());
        assertThat(tls.authorities()).isEqualTo(directory.resolve("shop.pem"));
        assertThat(tls.nameOf(backend.address(0))).isEqualTo("web.internal");
        assertThat(Objects.requireNonNull(tls.certificate()).name()).isEqualTo("shop");
        assertThat(tls.minVersion()).isEqualTo(TlsVersion.TLS_1_3);
        assertThat(tls.alpn()).containsExactly("h2");
    }

    @Test
    void readsABackendWithDefaults() throws Exception {
        BackendConfig backend = backend("servers: [127.0.0.1:8080], tls: on, health: {}");

        assertThat(backend.retries()).isEqualTo(BackendConfig.ALL_OTHERS);
        assertThat(backend.eject()).isEqualTo(EjectConfig.DEFAULT);
        assertThat(backend.health()).isEqualTo(HealthConfig.DEFAULT);
        assertThat(backend.tls()).isEqualTo(BackendTlsConfig.DEFAULT);
        assertThat(Objects.requireNonNull(backend.tls()).nameOf(backend.address(0)))
                .isEqualTo("127.0.0.1");
        assertThat(backend("servers: [127.0.0.1:8080], eject: off, tls: off").eject())
                .isNull();
    }

    /** A reload must apply it, although the path is the same. */
    @Test
    void isAnotherConfigurationWithChangedAuthorities() throws Exception {
        String keys = "servers: [127.0.0.1:8080], tls: {ca: api.pem}";
        BackendConfig before = backend(keys);
        assertThat(backend(keys)).isEqualTo(before);
        Files.copy(directory.resolve("shop.pem"), directory.resolve("api.pem"), StandardCopyOption.REPLACE_EXISTING);
        assertThat(backend(keys)).isNotEqualTo(before);
        assertThat(read(MINIMAL.replace("servers: [127.0.0.1:8080]", keys)).files())
                .contains(directory.resolve("api.pem"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "health: {kind: tls}; health kind is tls, but the backend has no tls; add tls: on, or check by"
                        + " connect or http",
                "health: {path: /up}; path has no effect without kind: http",
                "health: {kind: http, path: up}; path is \"up\"; write it as in a request, without spaces,"
                        + " starting with /",
                "health: {kind: http, host: \"a\\r\\nb\"}; write it as in a request",
                "health: {interval: 1ms}; interval is 1ms; it must be from 50ms to 1h",
                "eject: {for: 1m, longest: 10s}; longest is 10s, less than for: 1m",
                "eject: sometimes; eject is \"sometimes\"; write on or off",
                "tls: {ca: gone.pem}; gone.pem does not exist",
                "tls: {ca: shop.pem, verify: off}; ca has no effect with verify: off",
                "tls: {certificate: shopp}; unknown certificate \"shopp\"",
                "tls: {server-name: \"*.internal\"}; write the host name in the certificate",
                "resolve: 1ms; resolve is 1ms; it must be from 1s to 1h"
            })
    void reportsMistakesOfABackend(String key, String message) throws Exception {
        assertThat(problem(MINIMAL.replace("servers: [127.0.0.1:8080]", "servers: [127.0.0.1:8080], " + key)))
                .hasMessageContaining(message);
    }

    @Test
    void readsWeightsAndBackupsOfServers() throws Exception {
        BackendConfig web = read(MINIMAL.replace(
                        "[127.0.0.1:8080]",
                        "[a.example:80, {address: b.example:80, weight: 3}, {address: \"unix:c\", backup: true}]"))
                .backends()
                .getFirst();

        assertThat(web.servers())
                .containsExactly(
                        new ServerConfig(InetSocketAddress.createUnresolved("a.example", 80), 1, Role.PRIMARY),
                        new ServerConfig(InetSocketAddress.createUnresolved("b.example", 80), 3, Role.PRIMARY),
                        new ServerConfig(UnixDomainSocketAddress.of(directory.resolve("c")), 1, Role.BACKUP));
    }

    @Test
    void requiresAServerNameForAUnixSocket() throws Exception {
        String socket = "servers: [\"unix:web.sock\"], tls: on";
        assertThat(problem(MINIMAL.replace("servers: [127.0.0.1:8080]", socket)))
                .hasMessageContaining("has none; add server-name: NAME, or verify: off");
    }

    private BackendConfig backend(String keys) throws Exception {
        return read(MINIMAL.replace("servers: [127.0.0.1:8080]", keys))
                .backends()
                .getFirst();
    }

    @Test
    void readsTheAcceptPolicy() throws Exception {
        String keys = "backend: web, alpn: [h2], proxy-protocol: {from: [10.0.0.0/8, \"fd00::/8\"]}, connections: 7,"
                + " keepalive: 30s, alpn-required: on, answer-http: off}";
        AcceptPolicy policy = read(MINIMAL.replace("backend: web}", keys))
                .listeners()
                .getFirst()
                .acceptPolicy();

        assertThat(policy.connections()).isEqualTo(7);
        assertThat(policy.keepAlive()).hasSeconds(30);
        assertThat(policy.alpnRequired()).isTrue();
        assertThat(policy.answersHttp()).isFalse();
        assertThat(policy.isProxy(InetAddress.ofLiteral("10.255.0.1"))).isTrue();
        assertThat(policy.isProxy(InetAddress.ofLiteral("11.0.0.1"))).isFalse();
        assertThat(policy.isProxy(InetAddress.ofLiteral("fdff::1"))).isTrue();
        assertThat(policy.isProxy(InetAddress.ofLiteral("fe00::1"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "proxy-protocol: accept; proxy-protocol of a listener names no trusted proxies",
                "proxy-protocol: {from: [10.0.0.0/33]}; \"10.0.0.0/33\" is not a range of addresses",
                "proxy-protocol: {from: [proxy.internal]}; \"proxy.internal\" is not a range of addresses",
                "proxy-protocol: {from: [\"10.0.0.0/\"]}; is not a range of addresses",
                "alpn-required: on; alpn-required is on, but the listener offers no protocol",
                "keepalive: 10ms; keepalive is 10ms; it must be from 1s to 9h",
                "answer-http: redirect; answer-http is \"redirect\"; write on or off"
            })
    void reportsMistakesOfTheAcceptPolicy(String key, String message) throws Exception {
        assertThat(problem(MINIMAL.replace("backend: web}", "backend: web, " + key + "}")))
                .hasMessageContaining(message);
    }

    @Test
    void readsAListenerWithoutTls() throws Exception {
        String listeners = MINIMAL.replace(
                "listeners:\n", "listeners:\n  - {address: \"0.0.0.0:25\", tls: off, backend: web, connections: 7}\n");
        ListenerConfig listener = read(listeners).listeners().getFirst();

        assertThat(listener.kind()).isEqualTo(ListenerConfig.Kind.PLAIN);
        assertThat(listener.routes().getFirst().backend().name()).isEqualTo("web");
        assertThat(listener.certificates()).isEmpty();
        assertThat(listener.acceptPolicy().connections()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "backend: web, certificates: [shop]; certificates has no effect on a listener with tls: off",
                "backend: web, min-version: 1.3; min-version has no effect on a listener with tls: off",
                "routes: [{backend: web}]; routes has no effect on a listener with tls: off",
                "connections: 7; a listener with tls: off lacks the key \"backend\"",
                "backend: wbe; unknown backend \"wbe\""
            })
    void reportsMistakesOfAListenerWithoutTls(String keys, String message) throws Exception {
        assertThat(problem(MINIMAL.replace(
                        "listeners:\n", "listeners:\n  - {address: \"0.0.0.0:25\", tls: off, " + keys + "}\n")))
                .hasMessageContaining(message);
    }

    @Test
    void readsAListenerThatRedirects() throws Exception {
        String listeners = MINIMAL.replace(
                "listeners:\n",
                "listeners:\n  - {address: \"0.0.0.0:80\", redirect: 443, connections: 7, keepalive: 30s}\n");
        ListenerConfig listener = read(listeners).listeners().getFirst();

        assertThat(listener.kind()).isEqualTo(ListenerConfig.Kind.REDIRECT);
        assertThat(listener.redirectPort()).isEqualTo(443);
        assertThat(listener.acceptPolicy().connections()).isEqualTo(7);
        assertThat(listener.certificates()).isEmpty();
        assertThat(listener.routes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "redirect: 0; redirect is \"0\"; write a whole number from 1 to 65535",
                "redirect: https; redirect is \"https\"; write a whole number from 1 to 65535",
                "redirect: 80; redirect is 80, which is the listener's own port",
                "redirect: 443, backend: web; backend has no effect on a listener with redirect",
                "redirect: 443, certificates: [shop]; certificates has no effect on a listener with redirect",
                "redirect: 443, handshake: lean; handshake has no effect on a listener with redirect"
            })
    void reportsMistakesOfAListenerThatRedirects(String keys, String message) throws Exception {
        String listener = "listeners:\n  - {address: \"0.0.0.0:80\", " + keys + "}\n";
        assertThat(problem(MINIMAL.replace("listeners:\n", listener))).hasMessageContaining(message);
    }

    @Test
    void readsRoutesThatPassTlsThrough() throws Exception {
        String routes = "routes: [{sni: a.example, alpn: acme-tls/1, backend: web, tls: passthrough}, {backend: web}]}";
        ListenerConfig mixed =
                read(MINIMAL.replace("backend: web}", routes)).listeners().getFirst();
        assertThat(mixed.passes()).isTrue();
        assertThat(mixed.routes()).extracting(RouteConfig::passes).containsExactly(true, false);

        String all = "routes: [{backend: web, tls: passthrough}]}";
        ListenerConfig listener = read(MINIMAL.replace("certificates: [shop], backend: web}", all))
                .listeners()
                .getFirst();
        assertThat(listener.certificates()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "tls: off; tls is \"off\"; write terminate or passthrough",
                "tls: passthrough, alpn: h2},{backend: web; lacks the key \"certificates\"",
                "tls: terminate; lacks the key \"certificates\""
            })
    void reportsMistakesOfPassthrough(String keys, String message) throws Exception {
        String routes = "routes: [{backend: web, " + keys + "}]}";
        assertThat(problem(MINIMAL.replace("certificates: [shop], backend: web}", routes)))
                .hasMessageContaining(message);
    }

    @Test
    void rejectsPassthroughToABackendWithTls() throws Exception {
        String text = MINIMAL.replace("backend: web}", "routes: [{backend: web, tls: passthrough}]}")
                .replace("servers: [127.0.0.1:8080]", "servers: [127.0.0.1:8080], tls: on");
        assertThat(problem(text)).hasMessageContaining("tls is passthrough, but backend web has tls");
    }

    @Test
    void requiresCertificatesForTls() throws Exception {
        assertThat(problem(
                        MINIMAL.replace("listeners:\n", "listeners:\n  - {address: \"0.0.0.0:80\", backend: web}\n")))
                .hasMessageContaining(
                        "a listener lacks the key \"certificates\"; add for example certificates: [shop]");
    }

    @Test
    void readsAMinimalFileWithDefaultsForTheRest() throws Exception {
        GatewayConfig config = read(MINIMAL);

        ListenerConfig listener = config.listeners().getFirst();
        assertThat(listener.address()).isEqualTo(Addresses.toListen("127.0.0.1:8443"));
        assertThat(listener.origin()).endsWith("sluice.yaml:2:15");
        assertThat(listener.alpn()).isEmpty();
        assertThat(listener.tls()).isEqualTo(TlsOptions.DEFAULT);
        assertThat(listener.routes()).singleElement().satisfies(route -> {
            assertThat(route.matchesAll()).isTrue();
            assertThat(route.backend().addresses()).containsExactly(Addresses.toListen("127.0.0.1:8080"));
            assertThat(route.backend().balance()).isEqualTo(Balance.ROUND_ROBIN);
            assertThat(route.backend().proxyProtocol()).isEqualTo(ProxyProtocol.NONE);
        });
        assertThat(config.limits()).isEqualTo(LimitsConfig.DEFAULT);
        assertThat(config.drain()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.tickets()).isEqualTo(TicketConfig.DEFAULT);
        // testssl.sh objects to more.
        assertThat(TicketConfig.DEFAULT.keep()).isLessThanOrEqualTo(Duration.ofDays(1));
        assertThat(config.transport()).isEqualTo(TransportChoice.AUTO);
        assertThat(config.loops()).isEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void readsEveryKey() throws Exception {
        Files.copy(TestCertificates.shared().rootFile(), directory.resolve("clients.pem"));
        GatewayConfig config = read("""
                listeners:
                  - address: "[::1]:9443"
                    certificates: [shop, api]
                    alpn: [h2, http/1.1]
                    min-version: 1.3
                    ciphers: [TLS_AES_128_GCM_SHA256]
                    groups: [X25519, P-256]
                    client-auth: required
                    client-ca: clients.pem
                    routes:
                      - {sni: "*.example.com", alpn: h2, backend: api}
                      - {backend: web}
                certificates:
                  shop: {chain: [shop.pem, shop-rsa.pem], key: [shop.key, shop-rsa.key]}
                  api: {chain: api.pem, key: api.key}
                backends:
                  web: {servers: [127.0.0.1:8080, "unix:run/web.sock"], balance: least-connections, proxy-protocol: \
                  v2, connect-timeout: 250ms}
                  api: {servers: ["[::1]:9090"], proxy-protocol: v1}
                limits:
                  handshake-timeout: 2s
                  idle-timeout: 0s
                  connections: 1000
                  connections-per-address: 50
                  held-bytes: 64KiB
                  handshakes: 300
                  handshakes-per-second: 2000
                  handshakes-per-second-per-address: 20
                  handshake-queue: 100
                  handshake-wait: 250ms
                loops: 3
                transport: io_uring
                tickets: off
                drain: 1m
                """);

        ListenerConfig listener = config.listeners().getFirst();
        assertThat(listener.address()).isEqualTo(Addresses.toListen("[::1]:9443"));
        assertThat(listener.alpn()).containsExactly("h2", "http/1.1");
        assertThat(listener.tls())
                .isEqualTo(new TlsOptions(
                        TlsVersion.TLS_1_3,
                        List.of("TLS_AES_128_GCM_SHA256"),
                        List.of("X25519", "P-256"),
                        ClientAuth.REQUIRED,
                        directory.resolve("clients.pem")));
        assertThat(listener.certificates().get(0).keyPairs())
                .extracting(KeyPairFiles::keyType)
                .containsExactly("EC", "RSA");
        assertThat(listener.certificates().get(1).serverNames())
                .extracting(ServerNamePattern::text)
                .containsExactlyInAnyOrder("api.example.com", "*.api.example.com");
        RouteConfig route = listener.routes().getFirst();
        assertThat(route.matches("a.example.com", "h2")).isTrue();
        assertThat(route.matches("a.example.com", "http/1.1")).isFalse();
        assertThat(route.matches("example.com", "h2")).isFalse();
        BackendConfig web = listener.routes().get(1).backend();
        assertThat(web.addresses())
                .containsExactly(
                        Addresses.toListen("127.0.0.1:8080"),
                        UnixDomainSocketAddress.of(directory.resolve("run/web.sock")));
        assertThat(web.balance()).isEqualTo(Balance.LEAST_CONNECTIONS);
        assertThat(web.proxyProtocol()).isEqualTo(ProxyProtocol.V2);
        assertThat(web.connectTimeout()).isEqualTo(Duration.ofMillis(250));
        assertThat(config.limits())
                .isEqualTo(new LimitsConfig(
                        Duration.ofSeconds(2),
                        Duration.ZERO,
                        1000,
                        50,
                        64 * 1024,
                        new HandshakeLimits(300, 2000, 20, 100, Duration.ofMillis(250))));
        assertThat(config.loops()).isEqualTo(3);
        assertThat(config.transport()).isEqualTo(TransportChoice.IO_URING);
        assertThat(config.tickets()).isNull();
        assertThat(config.drain()).isEqualTo(Duration.ofMinutes(1));
    }

    /** Returns a piece of the minimal file, its replacement, the position of the problem, and its message. */
    static List<Arguments> mistakes() {
        return List.of(
                Arguments.of(
                        "backend: web}", "backnd: web}", "2:53", "unknown key \"backnd\" in a listener; did you mean"),
                Arguments.of(
                        "backend: web}",
                        "backend: web, zebra: 1}",
                        "2:67",
                        "unknown key \"zebra\" in a listener; known are address,"),
                Arguments.of(
                        "backend: web}", "backend: wep}", "2:62", "unknown backend \"wep\"; did you mean \"web\"?"),
                Arguments.of(
                        "backend: web}",
                        "alpn: [h2]}",
                        "2:5",
                        "needs either backend: NAME, routes: [...] or redirect: 443, but has none"),
                Arguments.of("[shop]", "[shot]", "2:46", "unknown certificate \"shot\"; did you mean \"shop\"?"),
                Arguments.of("[shop]", "[shop, shop]", "2:52", "certificate shop is listed twice"),
                Arguments.of("[shop]", "[]", "2:45", "certificates is an empty list"),
                Arguments.of("127.0.0.1:8443", "8443", "2:15", "\"8443\" is not host:port; write for example"),
                Arguments.of(
                        "127.0.0.1:8443",
                        "127.0.0.1:84430",
                        "2:15",
                        "the port of \"127.0.0.1:84430\" is \"84430\"; write a number from 0 to 65535"),
                Arguments.of("127.0.0.1:8443", "no-such-host.invalid:8443", "2:15", "does not resolve"),
                Arguments.of("127.0.0.1:8443", "[::1]:8443", "2:16", "not valid YAML"),
                Arguments.of(
                        "address: 127.0.0.1:8443, ",
                        "",
                        "2:5",
                        "a listener lacks the key \"address\"; add for example address: 0.0.0.0:8443"),
                Arguments.of(
                        "backend: web}",
                        "backend: web, early-data: on}",
                        "2:79",
                        "early-data is \"on\"; write one of off, hold, forward"),
                Arguments.of(
                        "backend: web}",
                        "backend: web, early-data: forward}",
                        "2:79",
                        "early-data is forward, but backend web cannot distinguish early data, which may be a replay:"
                                + " it receives bytes without alpn and no PROXY version 2 header; set its"
                                + " proxy-protocol:"
                                + " v2, offer alpn: [http/1.1] only, or set early-data: hold"),
                Arguments.of(
                        "backend: web}",
                        "backend: web, alpn: [h2, http/1.1], early-data: forward}",
                        "2:101",
                        "it receives more than http/1.1"),
                Arguments.of(
                        "backend: web}",
                        "backend: web, client-auth: required}",
                        "2:5",
                        "without an authority; add client-ca"),
                Arguments.of("backend: web}", "backend: web, min-version: 1.1}", "2:80", "write one of 1.2, 1.3"),
                Arguments.of(
                        "backend: web}",
                        "routes: [{backend: web}, {sni: a.example, backend: web}]}",
                        "2:78",
                        "never reached"),
                Arguments.of(
                        "backend: web}",
                        "routes: [{alpn: h2, backend: web}]}",
                        "2:69",
                        "is not offered by the listener"),
                Arguments.of(
                        "backend: web}",
                        "routes: [{sni: \"a.*.b\", backend: web}]}",
                        "2:68",
                        "write a host name, or *.example.com"),
                Arguments.of(
                        "chain: shop.pem",
                        "chain: shopp.pem",
                        "4:17",
                        "shopp.pem does not exist; relative paths start at"),
                Arguments.of("chain: shop.pem", "chain: shop.key", "4:17", "contains no certificates"),
                Arguments.of(
                        "chain: shop.pem",
                        "chain: [shop.pem, shop.pem]",
                        "4:44",
                        "has 2 chains and 1 keys; list one key per chain"),
                Arguments.of(
                        "key: shop.key", "kee: shop.key", "4:27", "unknown key \"kee\" in shop; did you mean \"key\"?"),
                Arguments.of(
                        "servers: [127.0.0.1:8080]",
                        "servers: [127.0.0.1:0]",
                        "6:19",
                        "write a number from 1 to 65535"),
                Arguments.of(
                        "servers: [127.0.0.1:8080]",
                        "servers: [127.0.0.1:80, 127.0.0.1:80]",
                        "6:33",
                        "server 127.0.0.1:80 is listed twice"),
                Arguments.of("servers: [127.0.0.1:8080]", "servers: [\"unix:\"]", "6:19", "names no socket"),
                Arguments.of(
                        "servers: [127.0.0.1:8080]",
                        "servers: [/run/web]",
                        "6:19",
                        "\"/run/web\" is a path; for a Unix socket write unix:/run/web"),
                Arguments.of(
                        "servers: [127.0.0.1:8080]",
                        "servers: {a: b}",
                        "6:18",
                        "servers lacks the key \"address\"; add for example address: 127.0.0.1:8080"),
                Arguments.of(
                        "servers: [127.0.0.1:8080]",
                        "servers: [{address: 127.0.0.1:8080, weight: 0}]",
                        "6:53",
                        "weight is \"0\"; write a whole number from 1 to 256"),
                Arguments.of(
                        "servers: [127.0.0.1:8080]",
                        "servers: [127.0.0.1:80, {address: 127.0.0.1:80, weight: 2}]",
                        "6:33",
                        "server 127.0.0.1:80 is listed twice"),
                Arguments.of(
                        "servers: [127.0.0.1:8080]",
                        "servers: [{address: 127.0.0.1:8080, backup: true}]",
                        "6:18",
                        "servers are all backups; leave backup out of at least one"),
                Arguments.of(
                        "8080]}",
                        "8080], balance: random}",
                        "6:45",
                        "balance is \"random\"; write one of round-robin, least-connections"),
                Arguments.of("8080]}", "8080], proxy-protocol: v3}", "6:52", "write one of none, v1, v2"),
                Arguments.of(
                        "8080]}",
                        "8080], proxy-protocol: v2, connect: at-hello}",
                        "6:8",
                        "connect is at-hello, but the header of proxy-protocol: v2 reports the handshake"),
                Arguments.of(
                        "8080]}",
                        "8080], connect-timeout: 5}",
                        "6:53",
                        "\"5\", not a duration; write a number and a unit"),
                Arguments.of("8080]}", "8080], connect-timeout: 1h}", "6:53", "it must be from 10ms to 5m"),
                Arguments.of(
                        "backends:",
                        "limits: {connections: many}\nbackends:",
                        "5:23",
                        "connections is \"many\"; write a whole number from 1"),
                Arguments.of(
                        "backends:",
                        "limits: {held-bytes: 1KiB}\nbackends:",
                        "5:22",
                        "write a size (B, KiB, MiB, GiB) from 16KiB to 64MiB"),
                Arguments.of("backends:", "tickets: maybe\nbackends:", "5:10", "tickets is \"maybe\"; write on or off"),
                Arguments.of("backends:", "tickets: {rotate: 0s}\nbackends:", "5:19", "from 1s to 7d"),
                Arguments.of(
                        "backends:",
                        "tickets: {rotate: 1s, keep: 1h}\nbackends:",
                        "5:10",
                        "takes more than 128 keys; raise rotate or lower keep"),
                Arguments.of(
                        "backends:", "tickets: {store: etcd}\nbackends:", "5:18", "write local, local:FILE, file:"),
                Arguments.of("backends:", "tickets: {store: redis://h}\nbackends:", "5:18", "add fleet-key: FILE"),
                Arguments.of(
                        "backends:",
                        "tickets: {store: redis://, fleet-key: fleet.key}\nbackends:",
                        "5:18",
                        "write redis://host:port"),
                Arguments.of(
                        "backends:",
                        "tickets: {store: redis://h/x, fleet-key: fleet.key}\nbackends:",
                        "5:18",
                        "database is \"x\""),
                Arguments.of(
                        "backends:",
                        "tickets: {store: redis://h, fleet-key: fleet.key, rotate: 5s, keep: 1m}\nbackends:",
                        "5:10",
                        "nodes would miss keys; lower poll, or raise rotate"),
                Arguments.of("backends:", "tickets: {poll: 1s}\nbackends:", "5:17", "no effect with store: local"),
                Arguments.of("backends:", "tickets: {store: \"file:\"}\nbackends:", "5:18", "names no path"),
                Arguments.of("backends:", "tickets: {shared-with: apache}\nbackends:", "5:24", "nginx-stream, haproxy"),
                Arguments.of("backends:", "admin: 127.0.0.1:9\nbackends:", "5:8", "need a Unix socket"),
                Arguments.of("backends:", "access-log: on\nbackends:", "5:13", "must be a section with keys"),
                Arguments.of("backends:", "access-log: {keep: 1}\nbackends:", "5:13", "lacks the key \"file\""),
                Arguments.of(
                        "backends:", "access-log: {file: no/a.log}\nbackends:", "5:20", "does not exist; create it"),
                Arguments.of(
                        "backends:",
                        "access-log: {file: a.log, sample: 2}\nbackends:",
                        "5:35",
                        "write a number above 0 and at most 1"),
                Arguments.of("backends:", "tickets: {wheel-of-keys: 1h}\nbackends:", "5:11", "rotate, keep"),
                Arguments.of(
                        "backends:", "transport: iouring\nbackends:", "5:12", "write one of auto, io_uring, epoll"),
                Arguments.of(
                        "backend: web}", "backend: web, profile: old}", "2:76", "write one of modern, intermediate"),
                Arguments.of("backends:", "ocsp: {keep: 1s}\nbackends:", "5:14", "keep is 1s"),
                Arguments.of("backends:", "ocsp: maybe\nbackends:", "5:7", "write on or off"),
                Arguments.of(
                        "key: shop.key}",
                        "key: shop.key, ocsp: {responder: \"https://ocsp.example/\"}}",
                        "4:60",
                        "without TLS, since responses are signed"),
                Arguments.of("backends:", "loops: 0\nbackends:", "5:8", "write a whole number from 1 to 1024"),
                Arguments.of("backends:", "drain:\nbackends:", "5:7", "drain must be text, not empty"),
                Arguments.of("backends:", "limits: {}\nlimits: {}\nbackends:", "6:1", "key \"limits\" is set twice"),
                Arguments.of(
                        "backends:",
                        "prometheus: {address: 127.0.0.1:9900}\nbackends:",
                        "5:1",
                        "unknown key \"prometheus\""));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("mistakes")
    void reportsAMistakeWithItsPositionAndTheRemedy(String piece, String mistake, String place, String message)
            throws IOException {
        assertThat(MINIMAL).contains(piece);

        ConfigException problem = problem(MINIMAL.replace(piece, mistake));

        String start = directory.resolve("sluice.yaml") + ":" + place + ": ";
        assertThat(problem.problems())
                .extracting(ConfigProblem::toString)
                .anyMatch(line -> line.startsWith(start) && line.contains(message));
    }

    @Test
    void reportsAllMistakesTogetherInTheOrderOfTheFile() throws IOException {
        ConfigException problem = problem("""
                listeners:
                  - {address: nowhere, certificates: [shop], backend: web}
                  - {address: 127.0.0.1:1, certificates: [api], backend: other}
                certificates:
                  shop: {chain: missing.pem, key: shop.key}
                backends:
                  web: {servers: [127.0.0.1:8080], proxy-protocol: v9}
                loops: -1
                """);

        assertThat(problem.problems()).extracting(ConfigProblem::line).containsExactly(2, 3, 3, 5, 7, 8);
        assertThat(problem.problems())
                .extracting(ConfigProblem::toString)
                .allMatch(line -> line.contains("sluice.yaml:"));
    }

    @Test
    void reportsTwoListenersOnOneAddress() throws IOException {
        ConfigException problem = problem(MINIMAL.replace(
                "certificates:\n",
                "  - {address: 127.0.0.1:8443, certificates: [shop], backend: web}\ncertificates:\n"));

        assertThat(problem)
                .hasMessageContaining("127.0.0.1:8443 is taken by the listener at ")
                .hasMessageContaining("sluice.yaml:2:15");
    }

    @Test
    void reportsASecondCertificateThatNoClientCanSelect() throws IOException {
        copy(
                TestCertificates.shared()
                        .issue(CertificateRequest.named("nameless").forHosts("192.0.2.1")),
                "nameless");

        ConfigException problem = problem(MINIMAL.replace("[shop]", "[shop, nameless]")
                .replace(
                        "certificates:\n  shop",
                        "certificates:\n  nameless: {chain: nameless.pem, key: nameless.key}\n  shop"));

        assertThat(problem).hasMessageContaining("sluice.yaml:2:52: certificate nameless has no subjectAltName");
    }

    @Test
    void reportsTwoKeysOfOneType() throws IOException {
        ConfigException problem = problem(MINIMAL.replace(
                "chain: shop.pem, key: shop.key", "chain: [shop.pem, api.pem], key: [shop.key, api.key]"));

        assertThat(problem).hasMessageContaining("4:28: certificate shop has two keys of type EC");
    }

    @Test
    void reportsTheObjectionsOfTheTlsLibrary() throws IOException {
        TlsCheck objecting = new AgreeingTlsCheck() {
            @Override
            public CertificateFindings certificate(CertificateFiles files) {
                return CertificateFindings.problem("the key belongs to another certificate");
            }
        };
        Path file = Files.writeString(directory.resolve("sluice.yaml"), MINIMAL);

        ConfigException problem = catchThrowableOfType(ConfigException.class, () -> ConfigFile.read(file, objecting));

        assertThat(problem).hasMessageEndingWith("sluice.yaml:4:17: the key belongs to another certificate");
    }

    @Test
    void reportsAMissingFile() {
        Path file = directory.resolve("absent.yaml");

        ConfigException problem =
                catchThrowableOfType(ConfigException.class, () -> ConfigFile.read(file, new AgreeingTlsCheck()));

        assertThat(problem).hasMessage(file + ": no such file; check the path after --config");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing but a comment\n"})
    void reportsAnEmptyFile(String text) throws IOException {
        assertThat(problem(text)).hasMessageContaining("the file is empty; it needs at least listeners");
    }

    @ParameterizedTest
    @ValueSource(strings = {"just text", "[a, list]", "12"})
    void reportsAFileWithoutSections(String text) throws IOException {
        assertThat(problem(text))
                .hasMessageContaining("1:1: the configuration must be a section with keys (listeners,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: [", "a: b: c", "\tlisteners: []", "a: &x [*x]", "--- 1\n--- 2\n", "a: \u0001"})
    void reportsMalformedYaml(String text) throws IOException {
        assertThat(problem(text).problems()).isNotEmpty();
    }

    @Test
    void reportsABinaryFile() throws IOException {
        Path file = Files.write(directory.resolve("sluice.yaml"), new byte[] {(byte) 0xFF, (byte) 0xFE, 0});

        ConfigException problem =
                catchThrowableOfType(ConfigException.class, () -> ConfigFile.read(file, new AgreeingTlsCheck()));

        assertThat(problem).hasMessageContaining("the file is not UTF-8 text");
    }

    @ParameterizedTest
    @EnumSource(TlsProfile.class)
    void appliesAProfileWhereTheListenerLeavesItOpen(TlsProfile profile) throws Exception {
        String word = profile.name().toLowerCase(Locale.ROOT);

        TlsOptions tls = tls(read(MINIMAL.replace("backend: web}", "backend: web, profile: " + word + "}")));
        assertThat(tls).isEqualTo(TlsOptions.of(profile));
        assertThat(tls.groups()).startsWith("X25519MLKEM768", "X25519");
        assertThat(tls.ciphers()).startsWith("TLS_AES_128_GCM_SHA256");

        TlsOptions explicit = tls(read(MINIMAL.replace(
                "backend: web}",
                "backend: web, profile: " + word
                        + ", min-version: 1.3, ciphers: [TLS_AES_256_GCM_SHA384], groups: [P-256]}")));
        assertThat(explicit.minVersion()).isEqualTo(TlsVersion.TLS_1_3);
        assertThat(explicit.ciphers()).containsExactly("TLS_AES_256_GCM_SHA384");
        assertThat(explicit.groups()).containsExactly("P-256");
    }

    private static TlsOptions tls(GatewayConfig config) {
        return config.listeners().getFirst().tls();
    }

    @Test
    void readsOcsp() throws Exception {
        assertThat(read(MINIMAL).ocsp()).isEqualTo(OcspConfig.DEFAULT);
        assertThat(read("ocsp: on\n" + MINIMAL).ocsp()).isEqualTo(OcspConfig.DEFAULT);
        assertThat(read("ocsp: off\n" + MINIMAL).ocsp()).isNull();
        assertThat(read("ocsp: {keep: 24h, directory: responses}\n" + MINIMAL).ocsp())
                .isEqualTo(new OcspConfig(Duration.ofDays(1), directory.resolve("responses")));
    }

    @Test
    void readsTheResponderOfACertificate() throws Exception {
        copy(
                TestCertificates.shared()
                        .issue(CertificateRequest.named("asking")
                                .askingAt("http://ocsp.example/a")
                                .mustStaple()),
                "asking");
        String asking = MINIMAL.replace("shop.pem, key: shop.key", "asking.pem, key: asking.key");

        CertificateConfig own = read(asking).certificates().getFirst();
        KeyPairFiles pair = own.keyPairs().getFirst();
        assertThat(pair.revocation()).isEqualTo(new RevocationFacts(URI.create("http://ocsp.example/a"), true));
        assertThat(own.ocsp().responderOf(pair)).isEqualTo(URI.create("http://ocsp.example/a"));
        assertThat(read(MINIMAL).certificates().getFirst().keyPairs().getFirst().revocation())
                .isEqualTo(RevocationFacts.NONE);

        CertificateOcsp off = ocsp(asking, "off");
        assertThat(off.responderOf(pair)).isNull();
        CertificateOcsp other = ocsp(asking, "{responder: \"http://127.0.0.1:2560/\", issuer: shop.pem}");
        assertThat(other.responderOf(pair)).isEqualTo(URI.create("http://127.0.0.1:2560/"));
        assertThat(other.issuers()).isEqualTo(directory.resolve("shop.pem"));
        assertThat(read(with(asking, "{issuer: shop.pem}")).files()).contains(directory.resolve("shop.pem"));
    }

    private CertificateOcsp ocsp(String text, String value) throws Exception {
        return read(with(text, value)).certificates().getFirst().ocsp();
    }

    private static String with(String text, String ocsp) {
        return text.replace("asking.key}", "asking.key, ocsp: " + ocsp + "}");
    }

    private GatewayConfig read(String text) throws IOException, ConfigException {
        return ConfigFile.read(Files.writeString(directory.resolve("sluice.yaml"), text), new AgreeingTlsCheck());
    }

    private ConfigException problem(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("sluice.yaml"), text);
        ConfigException problem =
                catchThrowableOfType(ConfigException.class, () -> ConfigFile.read(file, new AgreeingTlsCheck()));
        assertThat(problem).as("no problem was found").isNotNull();
        return problem;
    }
}
