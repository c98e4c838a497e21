package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.Bytes;
import dev.sluice.tls.JdkPeer;
import dev.sluice.tls.Peer;
import dev.sluice.tls.Wire;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.OurPeer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(EngineKind.class)
class HandshakeConformanceTest {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();
    private static final byte[] PING = "ping".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BULK = Bytes.random(100_000, 1);

    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    private final EngineKind kind;

    HandshakeConformanceTest(EngineKind kind) {
        this.kind = kind;
    }

    static Stream<Arguments> suites() {
        return Stream.of(
                Arguments.of("TLSv1.3", "TLS_AES_128_GCM_SHA256", "", KeyAlgorithm.ECDSA_P256),
                Arguments.of("TLSv1.3", "TLS_AES_256_GCM_SHA384", "", KeyAlgorithm.RSA_2048),
                Arguments.of("TLSv1.3", "TLS_CHACHA20_POLY1305_SHA256", "", KeyAlgorithm.ECDSA_P384),
                Arguments.of(
                        "TLSv1.2",
                        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                        "ECDHE-ECDSA-AES128-GCM-SHA256",
                        KeyAlgorithm.ECDSA_P256),
                Arguments.of(
                        "TLSv1.2",
                        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                        "ECDHE-ECDSA-AES256-GCM-SHA384",
                        KeyAlgorithm.ECDSA_P384),
                Arguments.of(
                        "TLSv1.2",
                        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                        "ECDHE-ECDSA-CHACHA20-POLY1305",
                        KeyAlgorithm.ECDSA_P256),
                Arguments.of(
                        "TLSv1.2",
                        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                        "ECDHE-RSA-AES128-GCM-SHA256",
                        KeyAlgorithm.RSA_2048),
                Arguments.of(
                        "TLSv1.2",
                        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                        "ECDHE-RSA-AES256-GCM-SHA384",
                        KeyAlgorithm.RSA_2048),
                Arguments.of(
                        "TLSv1.2",
                        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
                        "ECDHE-RSA-CHACHA20-POLY1305",
                        KeyAlgorithm.RSA_2048),
                Arguments.of(
                        "TLSv1.2",
                        "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
                        "ECDHE-ECDSA-AES128-SHA256",
                        KeyAlgorithm.ECDSA_P256));
    }

    static Credential credential(KeyAlgorithm algorithm) {
        return CERTIFICATES.issue(
                CertificateRequest.named("server-" + algorithm).with(algorithm));
    }

    /** Restricts a context to one suite. */
    private static <B extends ContextBuilder<B>> B only(B builder, String version, String suite, String openSslName) {
        return version.equals("TLSv1.3")
                ? builder.versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3)
                        .cipherSuites(List.of(suite))
                : builder.versions(ProtocolVersion.TLS_1_2, ProtocolVersion.TLS_1_2)
                        .cipherList(openSslName);
    }

    @ParameterizedTest
    @MethodSource("suites")
    void completesEverySuiteWithItself(String version, String suite, String openSslName, KeyAlgorithm algorithm) {
        Credential credential = credential(algorithm);
        try (TlsContext clientContext = only(
                                TlsContext.client().trust(CERTIFICATES.rootFile()), version, suite, openSslName)
                        .build();
                TlsContext serverContext = only(
                                TlsContext.server().certificate(credential.chainFile(), credential.keyFile()),
                                version,
                                suite,
                                openSslName)
                        .build();
                OurPeer server = kind.server(serverContext);
                OurPeer client = kind.client(clientContext, "localhost")) {
            Wire.whole().handshake(client, server);

            assertThat(client.info().version()).isEqualTo(version);
            assertThat(client.info().cipher()).isEqualTo(suite);
            assertThat(server.info().cipher()).isEqualTo(suite);
            assertThat(client.info().peerSubject()).isEqualTo("CN=server-" + algorithm);
            assertThat(server.info().serverName()).isEqualTo("localhost");
            assertThat(server.info().handshakeMicros()).isPositive();
            assertCarries(client, server);
        }
    }

    @ParameterizedTest
    @MethodSource("suites")
    void completesEverySuiteWithAJdkClient(String version, String suite, String openSslName, KeyAlgorithm algorithm) {
        Credential credential = credential(algorithm);
        try (TlsContext context = only(
                                TlsContext.server().certificate(credential.chainFile(), credential.keyFile()),
                                version,
                                suite,
                                openSslName)
                        .build();
                OurPeer server = kind.server(context);
                JdkPeer client = JdkPeer.client(CERTIFICATES.rootCertificate(), "localhost", parameters -> {
                    parameters.setProtocols(new String[] {version});
                    parameters.setCipherSuites(new String[] {suite});
                })) {
            Wire.whole().handshake(client, server);

            assertThat(client.failure()).isEmpty();
            assertThat(server.info().version()).isEqualTo(client.session().getProtocol());
            assertThat(server.info().cipher())
                    .isEqualTo(client.session().getCipherSuite())
                    .isEqualTo(suite);
            assertCarries(client, server);
        }
    }

    @ParameterizedTest
    @MethodSource("suites")
    void completesEverySuiteWithAJdkServer(String version, String suite, String openSslName, KeyAlgorithm algorithm) {
        try (TlsContext context = only(TlsContext.client().trust(CERTIFICATES.rootFile()), version, suite, openSslName)
                        .build();
                OurPeer client = kind.client(context, "localhost");
                JdkPeer server = JdkPeer.server(
                        credential(algorithm),
                        CERTIFICATES.rootCertificate(),
                        parameters -> parameters.setCipherSuites(new String[] {suite}))) {
            Wire.whole().handshake(client, server);

            assertThat(server.failure()).isEmpty();
            assertThat(client.info().version()).isEqualTo(server.session().getProtocol());
            assertThat(client.info().cipher())
                    .isEqualTo(server.session().getCipherSuite())
                    .isEqualTo(suite);
            assertCarries(client, server);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "X25519, x25519, TLSv1.3", "P-256, secp256r1, TLSv1.3", "P-384, secp384r1, TLSv1.3",
        "X25519, x25519, TLSv1.2", "P-256, secp256r1, TLSv1.2", "P-521, secp521r1, TLSv1.2"
    })
    void completesEveryGroupWithTheJdk(String group, String jdkName, String version) {
        Credential credential = CERTIFICATES.serverRsa();
        try (TlsContext context = TlsContext.server()
                        .certificate(credential.chainFile(), credential.keyFile())
                        .groups(List.of("not-a-group", "X25519", "P-256", "P-384", "P-521"))
                        .build();
                OurPeer server = kind.server(context);
                JdkPeer client = JdkPeer.client(CERTIFICATES.rootCertificate(), "localhost", parameters -> {
                    parameters.setProtocols(new String[] {version});
                    parameters.setNamedGroups(new String[] {jdkName});
                })) {
            Wire.whole().handshake(client, server);

            assertThat(client.failure()).isEmpty();
            assertThat(server.info().group()).isEqualTo(group);
            assertThat(context.ignoredGroups()).containsExactly("not-a-group");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void completesAfterAHelloRetryRequest(String version) {
        Credential credential = CERTIFICATES.serverRsa();
        try (TlsContext context = TlsContext.server()
                        .certificate(credential.chainFile(), credential.keyFile())
                        .groups(List.of("P-384"))
                        .build();
                TlsContext clientContext = TlsContext.client()
                        .trust(CERTIFICATES.rootFile())
                        .versions(
                                ProtocolVersion.TLS_1_2,
                                version.equals("TLSv1.2") ? ProtocolVersion.TLS_1_2 : ProtocolVersion.TLS_1_3)
                        .groups(List.of("X25519", "P-384"))
                        .build();
                OurPeer server = kind.server(context);
                OurPeer client = kind.client(clientContext, "localhost")) {
            Wire.whole().handshake(client, server);

            assertThat(server.info().group()).isEqualTo("P-384");
            assertThat(server.info().serverName()).isEqualTo("localhost");
            assertThat(server.info().version()).isEqualTo(version);
        }
    }

    @ParameterizedTest
    @EnumSource(KeyAlgorithm.class)
    void completesEveryKeyType(KeyAlgorithm algorithm) {
        Credential credential = credential(algorithm);
        try (TlsContext context = TlsContext.server()
                        .certificate(credential.chainFile(), credential.keyFile())
                        .build();
                OurPeer server = kind.server(context);
                JdkPeer client = JdkPeer.client(CERTIFICATES.rootCertificate(), "localhost", parameters -> {})) {
            Wire.whole().handshake(client, server);

            assertThat(client.failure()).isEmpty();
            assertCarries(client, server);
        }
    }

    @Test
    void sendsTheIntermediate() throws Exception {
        Credential credential = CERTIFICATES.serverWithIntermediate();
        try (TlsContext context = TlsContext.server()
                        .certificate(credential.chainFile(), credential.keyFile())
                        .build();
                OurPeer server = kind.server(context);
                JdkPeer client = JdkPeer.client(CERTIFICATES.rootCertificate(), "localhost", parameters -> {})) {
            Wire.whole().handshake(client, server);

            assertThat(client.failure()).isEmpty();
            assertThat(client.session().getPeerCertificates()).containsExactlyElementsOf(credential.chain());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, CN=server-ECDSA_P256",
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, CN=server-RSA_2048"
    })
    void selectsTheKeyTypeByClient(String suite, String subject) throws Exception {
        Credential ecdsa = credential(KeyAlgorithm.ECDSA_P256);
        Credential rsa = credential(KeyAlgorithm.RSA_2048);
        try (TlsContext context = TlsContext.server()
                        .certificate(ecdsa.chainFile(), ecdsa.keyFile())
                        .certificate(rsa.chainFile(), rsa.keyFile())
                        .build();
                OurPeer server = kind.server(context);
                JdkPeer client = JdkPeer.client(CERTIFICATES.rootCertificate(), "localhost", parameters -> {
                    parameters.setProtocols(new String[] {"TLSv1.2"});
                    parameters.setCipherSuites(new String[] {suite});
                })) {
            Wire.whole().handshake(client, server);

            assertThat(client.failure()).isEmpty();
            assertThat(client.session().getPeerPrincipal().getName()).isEqualTo(subject);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TLSv1.3, 'TLS_AES_256_GCM_SHA384,TLS_CHACHA20_POLY1305_SHA256,TLS_AES_128_GCM_SHA256', TLS_AES_128_GCM_SHA256",
        "TLSv1.3, 'TLS_CHACHA20_POLY1305_SHA256,TLS_AES_128_GCM_SHA256', TLS_CHACHA20_POLY1305_SHA256",
        "TLSv1.3, 'TLS_AES_256_GCM_SHA384', TLS_AES_256_GCM_SHA384",
        "TLSv1.2, 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', "
                + "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLSv1.2, 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', "
                + "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"
    })
    void prefersAes128UnlessTheClientPrefersChaCha20(String version, String offered, String chosen) throws Exception {
        Credential credential = credential(KeyAlgorithm.ECDSA_P256);
        try (TlsContext context = TlsContext.server()
                        .certificate(credential.chainFile(), credential.keyFile())
                        .build();
                OurPeer server = kind.server(context);
                JdkPeer client = JdkPeer.client(CERTIFICATES.rootCertificate(), "localhost", parameters -> {
                    parameters.setProtocols(new String[] {version});
                    parameters.setCipherSuites(offered.split(","));
                })) {
            Wire.whole().handshake(client, server);

            assertThat(client.session().getCipherSuite()).isEqualTo(chosen);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'h2,http/1.1', 'http/1.1,h2', h2",
        "'http/1.1', 'h2,http/1.1', http/1.1",
        "'', 'http/1.1', ''",
        "'h2', '', ''"
    })
    void alpnFollowsTheServersPreference(String ours, String clients, String chosen) {
        Credential credential = CERTIFICATES.server();
        try (TlsContext context = TlsContext.server()
                        .certificate(credential.chainFile(), credential.keyFile())
                        .alpn(names(ours))
                        .build();
                OurPeer server = kind.server(context);
                JdkPeer client = JdkPeer.client(
                        CERTIFICATES.rootCertificate(),
                        "localhost",
                        parameters -> parameters.setApplicationProtocols(
                                names(clients).toArray(String[]::new)))) {
            Wire.whole().handshake(client, server);

            assertThat(server.info().alpn()).isEqualTo(chosen);
            assertThat(client.alpn()).isEqualTo(chosen);
        }
    }

    /** Checks RFC 7301 section 3.2: a client that offers only unknown protocols is rejected. */
    @ParameterizedTest
    @CsvSource({"TLSv1.2, http/1.1", "TLSv1.3, http/1.1", "TLSv1.3, 'h2c,h'", "TLSv1.3, acme-tls/1"})
    void rejectsAlpnWithoutACommonProtocol(String version, String clients) {
        Credential credential = CERTIFICATES.server();
        try (TlsContext context = TlsContext.server()
                        .certificate(credential.chainFile(), credential.keyFile())
                        .alpn(List.of("h2"))
                        .build();
                OurPeer server = kind.server(context);
                JdkPeer client = JdkPeer.client(CERTIFICATES.rootCertificate(), "localhost", parameters -> {
                    parameters.setProtocols(new String[] {version});
                    parameters.setApplicationProtocols(names(clients).toArray(String[]::new));
                })) {
            Wire.whole().handshake(client, server);

            assertThat(server.failure()).isEqualTo("no_application_protocol");
            assertThat(server.tlsFailure().alert()).isEqualTo(120);
            assertThat(client.failure()).contains("no_application_protocol");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http/1.1", ""})
    void rejectsClientsWithoutRequiredAlpn(String clients) {
        Credential credential = CERTIFICATES.server();
        try (TlsContext context = TlsContext.server()
                        .certificate(credential.chainFile(), credential.keyFile())
                        .alpnRequired(List.of("h2"))
                        .build();
                TlsContext clientContext = TlsContext.client()
                        .trust(CERTIFICATES.rootFile())
                        .alpn(names(clients))
                        .build();
                OurPeer server = kind.server(context);
                OurPeer client = kind.client(clientContext, "localhost")) {
            Wire.whole().handshake(client, server);

            assertThat(server.failure()).isEqualTo("no_application_protocol");
            assertThat(server.tlsFailure().alert()).isEqualTo(120);
            assertThat(client.failure()).isEqualTo("alert_received_no_application_protocol");
        }
    }

    @ParameterizedTest
    @CsvSource({"TLS_1_2, 1", "TLS_1_2, 2", "TLS_1_2, 7", "TLS_1_3, 1", "TLS_1_3, 2", "TLS_1_3, 7", "TLS_1_3, 1000"})
    void completesInSmallPieces(ProtocolVersion version, int pieceBytes) {
        Credential credential = CERTIFICATES.serverWithIntermediate();
        Wire wire = Wire.inPiecesOf(pieceBytes);
        try (TlsContext context = TlsContext.server()
                        .certificate(credential.chainFile(), credential.keyFile())
                        .build();
                TlsContext clientContext = TlsContext.client()
                        .trust(CERTIFICATES.rootFile())
                        .versions(version, version)
                        .build();
                OurPeer server = kind.server(context);
                OurPeer client = kind.client(clientContext, "localhost")) {
            wire.handshake(client, server);
            client.write(PING);
            assertThat(wire.carry(client, server)).isEqualTo(PING);
            server.write(PING);
            assertThat(wire.carry(server, client)).isEqualTo(PING);
            client.closeOutput();
            wire.carry(client, server);

            assertThat(server.sawCloseNotify()).isTrue();
        }
    }

    private static List<String> names(String list) {
        return list.isEmpty() ? List.of() : List.of(list.split(",", -1));
    }

    private static void assertCarries(Peer client, Peer server) {
        Wire wire = Wire.whole();
        client.write(BULK);
        assertThat(wire.carry(client, server)).isEqualTo(BULK);
        server.write(BULK);
        assertThat(wire.carry(server, client)).isEqualTo(BULK);
    }
}
