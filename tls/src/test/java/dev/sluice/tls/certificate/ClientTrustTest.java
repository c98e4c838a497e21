package dev.sluice.tls.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.tls.Wire;
import dev.sluice.tls.context.ClientAuthentication;
import dev.sluice.tls.context.ClientContextBuilder;
import dev.sluice.tls.context.EngineConformance;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.ServerContextBuilder;
import dev.sluice.tls.context.ServerNameSelector;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.OurPeer;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of client verification by authorities, revocation lists and depth, and of the resulting client identity. */
class ClientTrustTest extends EngineConformance {
    private final Instant soon = Instant.now().plus(Duration.ofDays(7)).truncatedTo(ChronoUnit.SECONDS);

    /** A day of one digit, which OpenSSL pads with a blank. */
    private static final Instant FIRST_OF_A_MONTH = Instant.parse("2037-03-01T04:05:06Z");

    private final Instant longAgo = Instant.now().minus(Duration.ofDays(1));

    @TempDir
    Path directory;

    private final Credential client =
            CERTIFICATES.issue(CertificateRequest.named("anna").forHosts("anna.example", "192.0.2.7", "2001:db8::7"));
    private final Credential chained = CERTIFICATES.issue(
            CertificateRequest.named("bert").forHosts("bert.example").viaIntermediate());

    ClientTrustTest() {
        super(EngineKind.MEMORY);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void acceptsAClientThatIsNotRevoked(ProtocolVersion version) {
        assertThat(outcome(trust(list(soon)), client, version)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void rejectsARevokedClient(ProtocolVersion version) {
        assertThat(outcome(trust(list(soon, client)), client, version)).isEqualTo("certificate_revoked 44");
    }

    @Test
    void anExpiredListRejectsEveryClient() {
        ClientTrust trust = trust(list(longAgo));

        assertThat(trust.revocationLists().getFirst().nextUpdate()).isBefore(Instant.now());
        assertThat(outcome(trust, client, ProtocolVersion.TLS_1_3)).isEqualTo("certificate_revocation_unknown 45");
    }

    /** Checks that the root's list does not cover certificates revoked by the intermediate. */
    @Test
    void requiresAListOfEachAuthority() {
        String rootsOnly = list(soon);
        String both = rootsOnly + CERTIFICATES.intermediateRevocationList(soon);
        String revoked = rootsOnly + CERTIFICATES.intermediateRevocationList(soon, chained.certificate());

        assertThat(outcome(trust(rootsOnly), chained, ProtocolVersion.TLS_1_3))
                .isEqualTo("certificate_revocation_unknown 48");
        assertThat(outcome(trust(both), chained, ProtocolVersion.TLS_1_3)).isEmpty();
        assertThat(outcome(trust(revoked), chained, ProtocolVersion.TLS_1_3)).isEqualTo("certificate_revoked 44");
    }

    @Test
    void acceptsListsInSeveralFiles() {
        ClientTrust trust = closing(ClientTrust.load(
                roots(),
                List.of(
                        pem("root", list(soon)),
                        pem("inter", CERTIFICATES.intermediateRevocationList(FIRST_OF_A_MONTH))),
                ClientTrust.ANY_DEPTH));

        assertThat(trust.revocationLists())
                .extracting(ClientTrust.RevocationList::source, ClientTrust.RevocationList::nextUpdate)
                .containsExactly(tuple("root", soon), tuple("inter", FIRST_OF_A_MONTH));
        assertThat(trust.authoritiesWithoutList()).isEmpty();
        assertThat(outcome(trust, chained, ProtocolVersion.TLS_1_3)).isEmpty();
    }

    @Test
    void namesAnAuthorityWithoutAList() {
        ClientTrust trust = closing(ClientTrust.load(
                roots(), List.of(pem("inter", CERTIFICATES.intermediateRevocationList(soon))), ClientTrust.ANY_DEPTH));

        assertThat(trust.authoritiesWithoutList()).singleElement().asString().startsWith("CN=Sluice Test Root");
    }

    @ParameterizedTest
    @CsvSource({"0, certificate_chain_too_long 48", "1, ''", "2, ''"})
    void limitsTheIntermediateAuthorities(int depth, String expected) {
        ClientTrust trust = closing(ClientTrust.load(roots(), List.of(), depth));

        assertThat(outcome(trust, chained, ProtocolVersion.TLS_1_3)).isEqualTo(expected);
        assertThat(outcome(trust, client, ProtocolVersion.TLS_1_3)).isEmpty();
    }

    /** Checks the verification flags of a host's context: libssl does not copy them when it switches contexts. */
    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void appliesAHostsListAfterAContextSwitch(ProtocolVersion version) throws Exception {
        ServerContextBuilder strict = serverWith(CERTIFICATES.server())
                .clientAuthentication(ClientAuthentication.REQUIRED, trust(list(soon, client)));
        ServerNameSelector selector = closing(ServerNameSelector.builder()
                .add("localhost", strict)
                .fallback(serverWith(CERTIFICATES.server()))
                .build());
        assertThat(selector.contextsMade()).isEqualTo(1);

        assertThat(outcome(selector, client, version)).isEqualTo("certificate_revoked 44");
        assertThat(selector.contextsMade()).isEqualTo(2);
        assertThat(outcome(selector, CERTIFICATES.client(), version)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "TLS_1_2, uri:spiffe://example/*, ''",
        "TLS_1_3, email:cleo@example.com, ''",
        "TLS_1_3, cn:cleo, ''",
        "TLS_1_2, dns:other.example, certificate_not_allowed 42",
        "TLS_1_3, dns:other.example, certificate_not_allowed 42",
        "TLS_1_3, dns:cleo.bank.example, certificate_not_allowed 42"
    })
    void authorizesClientsByName(ProtocolVersion version, String name, String expected) {
        // OpenSSL prints the last one with a dot in place of the zero byte.
        Credential cleo = CERTIFICATES.issue(CertificateRequest.named("cleo")
                .forHosts("cleo.example", "spiffe://example/cleo", "cleo@example.com", "cleo\0bank.example"));
        ServerContextBuilder named = serverWith(CERTIFICATES.server())
                .clientAuthentication(ClientAuthentication.REQUIRED, trust(list(soon)))
                .clientNames(ClientNames.of(List.of(name)));
        ServerNameSelector selector = closing(ServerNameSelector.builder()
                .add("localhost", named)
                .fallback(serverWith(CERTIFICATES.server()))
                .build());

        assertThat(outcome(selector, cleo, version)).isEqualTo(expected);
        assertThat(outcome(closing(named.build()), cleo, version)).isEqualTo(expected);
    }

    @Test
    void reportsTheClientsIdentity() throws Exception {
        OurPeer server = server(serverWith(CERTIFICATES.server())
                .clientAuthentication(ClientAuthentication.OPTIONAL, CERTIFICATES.rootFile()));
        Wire.whole().handshake(client(presenting(client), "localhost"), server);

        byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(client.certificate().getEncoded());
        assertThat(server.info().client())
                .isEqualTo(new PeerCertificate(
                        "CN=anna",
                        List.of("DNS:anna.example", "IP:192.0.2.7", "IP:2001:DB8:0:0:0:0:0:7"),
                        HexFormat.of().formatHex(digest)));

        OurPeer other = server(serverWith(CERTIFICATES.server())
                .clientAuthentication(ClientAuthentication.OPTIONAL, CERTIFICATES.rootFile()));
        Wire.whole().handshake(client(trustingClient(), "localhost"), other);
        assertThat(other.info().client()).isNull();
    }

    @Test
    void rejectsAMalformedList() throws Exception {
        Path file = Files.writeString(directory.resolve("none.pem"), Files.readString(CERTIFICATES.rootFile()));

        assertThatThrownBy(() -> ClientTrust.load(roots(), List.of(PemSource.file(file)), ClientTrust.ANY_DEPTH))
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContainingAll("revocation list not usable", file.toString(), "-----BEGIN X509 CRL-----");
        assertThatThrownBy(() -> ClientTrust.load(
                        roots(), List.of(PemSource.file(directory.resolve("absent"))), ClientTrust.ANY_DEPTH))
                .hasMessageContaining("revocation list not found");
    }

    private ClientTrust trust(String lists) {
        return closing(ClientTrust.load(roots(), List.of(pem("lists", lists)), ClientTrust.ANY_DEPTH));
    }

    private static PemSource roots() {
        return PemSource.file(CERTIFICATES.rootFile());
    }

    private static PemSource pem(String name, String text) {
        return PemSource.bytes(name, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String list(Instant nextUpdate, Credential... revoked) {
        return CERTIFICATES.revocationList(
                nextUpdate, Arrays.stream(revoked).map(Credential::certificate).toArray(X509Certificate[]::new));
    }

    private static ClientContextBuilder presenting(Credential credential) {
        return trustingClient().certificate(credential.chainFile(), credential.keyFile());
    }

    private String outcome(ClientTrust trust, Credential presented, ProtocolVersion version) {
        return outcome(
                closing(serverWith(CERTIFICATES.server())
                        .clientAuthentication(ClientAuthentication.REQUIRED, trust)
                        .build()),
                presented,
                version);
    }

    /** Returns "" for a completed handshake, else its failure and the alert to the client. */
    private String outcome(SharedContext context, Credential presented, ProtocolVersion version) {
        OurPeer server = server(context);
        OurPeer theClient = client(presenting(presented).versions(version, version), "localhost");
        Wire.whole().handshake(theClient, server);
        if (server.isEstablished()) {
            return "";
        }
        if (theClient.failure().isEmpty()) {
            theClient.read();
        }
        int told = theClient.tlsFailure().alert();
        assertThat(told).isEqualTo(server.tlsFailure().alert());
        return server.failure() + " " + told;
    }
}
