package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.engine.LoopCrypto;
import java.security.Provider;
import java.security.ProviderException;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Private keys that do not leave their provider, and sign there. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineOpaqueKeysTest {
    private static final TestCertificates AUTHORITY = JsseContexts.AUTHORITY;
    private static final Provider OPAQUE = new OpaqueKeys();
    private static final int THREADS = 4;
    private static final int ENGINES = 50;

    private final ProviderPair pair;

    EngineOpaqueKeysTest(ProviderPair pair) {
        this.pair = pair;
    }

    @BeforeAll
    static void register() {
        Security.addProvider(OPAQUE);
    }

    @AfterAll
    static void remove() {
        Security.removeProvider(OPAQUE.getName());
    }

    private static List<Credential> ofAllTypes() {
        return List.of(
                AUTHORITY.server(),
                AUTHORITY.issue(CertificateRequest.named("opaque-p384").with(KeyAlgorithm.ECDSA_P384)),
                AUTHORITY.serverRsa(),
                AUTHORITY.issue(CertificateRequest.named("opaque-ed25519").with(KeyAlgorithm.ED25519)));
    }

    private static SSLContext contextOf(JsseProvider provider, Credential credential) {
        return provider.context(new KeyManager[] {new RotatingKeyManager(credential)}, JsseContexts.trust());
    }

    private EngineLink linkToServer(SSLContext server) {
        return pair.link(JsseContexts.client(pair.client()), server);
    }

    private EngineLink linkOfClient(SSLContext client) {
        EngineLink link = pair.link(client, JsseContexts.server(pair.server()));
        link.server().engine().setNeedClientAuth(true);
        return link;
    }

    @Test
    void signForServers() throws SSLException {
        for (Credential each : ofAllTypes()) {
            EngineLink link = linkToServer(contextOf(pair.server(), OpaqueKeys.hide(each)));
            link.handshake().assertCarriesData();
            assertThat(link.client().engine().getSession().getPeerCertificates()[0])
                    .isEqualTo(each.certificate());
        }
    }

    @Test
    void signForClients() throws SSLException {
        for (Credential each : ofAllTypes()) {
            EngineLink link = linkOfClient(contextOf(pair.client(), OpaqueKeys.hide(each)));
            link.handshake().assertCarriesData();
            assertThat(link.server().engine().getSession().getPeerCertificates()[0])
                    .isEqualTo(each.certificate());
        }
    }

    /** TLS 1.2 signs with PKCS #1 where the peer prefers it. */
    @Test
    void signWithTheSchemeOfThePeer() throws SSLException {
        assumeFalse(pair.isTls13(), "TLS 1.3 has no PKCS #1 in handshakes");
        SSLContext server = contextOf(pair.server(), OpaqueKeys.hide(AUTHORITY.serverRsa()));
        EngineLink link = linkToServer(server);
        SSLParameters parameters = link.client().engine().getSSLParameters();
        parameters.setSignatureSchemes(new String[] {"rsa_pkcs1_sha256", "ecdsa_secp256r1_sha256"});
        link.client().engine().setSSLParameters(parameters);
        link.handshake().assertCarriesData();
    }

    /** A server signs after the second ClientHello if the first has no share of a common group. */
    @Test
    void signInDelegatedTasksAlone() throws SSLException {
        int before = OpaqueKeys.signaturesOutsideOfTasks();
        EngineLink link = linkToServer(contextOf(pair.server(), OpaqueKeys.hide(AUTHORITY.serverRsa())));
        setGroups(link.client().engine(), "secp256r1", "secp384r1");
        setGroups(link.server().engine(), "secp384r1");
        link.handshake().assertCarriesData();
        assertThat(OpaqueKeys.signaturesOutsideOfTasks()).isEqualTo(before);
    }

    /** SunJSSE's clients of TLS 1.3 sign outside. */
    @Test
    void signInDelegatedTasksOfSluicesClients() throws SSLException {
        assumeTrue(pair.client() == JsseProvider.SLUICE, "about Sluice's clients");
        int before = OpaqueKeys.signaturesOutsideOfTasks();
        linkOfClient(contextOf(pair.client(), OpaqueKeys.hide(AUTHORITY.client())))
                .handshake()
                .assertCarriesData();
        assertThat(OpaqueKeys.signaturesOutsideOfTasks()).isEqualTo(before);
    }

    private static void setGroups(SSLEngine engine, String... groups) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setNamedGroups(groups);
        engine.setSSLParameters(parameters);
    }

    @Test
    void thatFailEndTheHandshakeOfServers() {
        SSLContext server = contextOf(pair.server(), OpaqueKeys.remove(AUTHORITY.server()));
        assertEnded(linkToServer(server), EngineLink::server);
    }

    @Test
    void thatFailEndTheHandshakeOfClients() {
        SSLContext client = contextOf(pair.client(), OpaqueKeys.remove(AUTHORITY.client()));
        assertEnded(linkOfClient(client), EngineLink::client);
    }

    private void assertEnded(EngineLink link, Function<EngineLink, EnginePeer> owner) {
        link.attempt();
        EnginePeer signer = owner.apply(link);
        assertThat(EngineLink.failureOf(signer))
                .hasRootCauseInstanceOf(ProviderException.class)
                .hasRootCauseMessage(OpaqueKeys.REMOVED);
        EngineLink.failureOf(link.other(signer));
        assertThat(link.other(signer).alert()).isIn("handshake_failure", "internal_error");
    }

    @Test
    void serveManyEnginesAtOnce() throws Exception {
        SSLContext server = contextOf(pair.server(), OpaqueKeys.hide(AUTHORITY.serverRsa()));
        SSLContext client = contextOf(pair.client(), OpaqueKeys.hide(AUTHORITY.client()));
        List<EngineLink> links = new ArrayList<>();
        for (int i = 0; i < ENGINES; i++) {
            EngineLink link = pair.link(client, server);
            link.server().engine().setNeedClientAuth(true);
            links.add(link);
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> all = new ArrayList<>();
            for (EngineLink each : links) {
                all.add(threads.submit(each::handshake));
            }
            for (Future<?> each : all) {
                each.get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        }
        for (EngineLink each : links) {
            each.assertCarriesData();
            each.close();
        }
    }

    @Test
    void leaveNothingBehind() throws SSLException {
        SSLContext server = contextOf(pair.server(), OpaqueKeys.hide(AUTHORITY.serverRsa()));
        SSLContext client = contextOf(pair.client(), OpaqueKeys.hide(AUTHORITY.client()));
        SSLContext failing = contextOf(pair.server(), OpaqueKeys.remove(AUTHORITY.server()));
        NativeBalance<Map<String, Ledger.Balance>> balance =
                NativeBalance.of(Ledger.process()::balances, EngineOpaqueKeysTest::leaksSince);
        runAll(client, server, failing); // makes what the contexts keep
        balance.mark();

        runAll(client, server, failing);

        balance.verify();
    }

    /** Returns the leaks; what engines of other tests return to the pool of keys, meanwhile collected, is none. */
    private static List<String> leaksSince(Map<String, Ledger.Balance> before) {
        return Ledger.process().leaksSince(before).stream()
                .filter(line -> !line.contains(LoopCrypto.UNUSED_KEYS))
                .toList();
    }

    private void runAll(SSLContext client, SSLContext server, SSLContext failing) throws SSLException {
        EngineLink link = pair.link(client, server);
        link.server().engine().setNeedClientAuth(true);
        link.handshake().assertCarriesData();
        link.close();
        EngineLink broken = linkToServer(failing).attempt();
        for (EnginePeer each : List.of(broken.client(), broken.server())) {
            each.engine().closeOutbound();
        }
        broken.settle();
    }
}
