package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** ALPN (RFC 7301): lists, selectors, and nothing in common. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineProtocolNamesTest {
    private final ProviderPair pair;

    EngineProtocolNamesTest(ProviderPair pair) {
        this.pair = pair;
    }

    @Test
    void preferenceOfTheServerDecides() {
        EngineLink link = offering("http/1.1", "h2");
        offer(link.server(), "h2", "http/1.1");
        link.handshake();
        assertAgreed(link, "h2");
    }

    @Test
    void theOnlyCommonNameIsChosen() throws SSLException {
        EngineLink link = offering("spdy/3", "http/1.1");
        offer(link.server(), "h2", "http/1.1");
        link.handshake();
        assertAgreed(link, "http/1.1");
        link.assertCarriesData();
    }

    private EngineLink offering(String... names) {
        EngineLink link = pair.link();
        offer(link.client(), names);
        return link;
    }

    private static void offer(EnginePeer peer, String... names) {
        SSLParameters parameters = peer.engine().getSSLParameters();
        parameters.setApplicationProtocols(names);
        peer.engine().setSSLParameters(parameters);
    }

    private static void assertAgreed(EngineLink link, String name) {
        for (EnginePeer peer : List.of(link.client(), link.server())) {
            assertThat(peer.engine().getApplicationProtocol()).isEqualTo(name);
            assertThat(peer.engine().getHandshakeApplicationProtocol()).isNull();
        }
    }

    @Test
    void noneIsKnownBeforeTheHandshake() {
        EngineLink link = offering("h2");
        assertThat(link.client().engine().getApplicationProtocol()).isNull();
        assertThat(link.server().engine().getApplicationProtocol()).isNull();
        assertThat(link.client().engine().getHandshakeApplicationProtocol()).isNull();
    }

    @Test
    void noneIsUsedWithoutAnOffer() {
        EngineLink link = pair.link();
        offer(link.server(), "h2");
        assertAgreed(link.handshake(), "");
    }

    @Test
    void noneIsUsedByAServerWithoutNames() {
        assertAgreed(offering("h2").handshake(), "");
    }

    @Test
    void nothingInCommonEndsTheHandshake() {
        EngineLink link = offering("spdy/3");
        offer(link.server(), "h2", "http/1.1");
        assertRejected(link.attempt());
    }

    private static void assertRejected(EngineLink link) {
        assertThat(EngineLink.failureOf(link.server()))
                .isInstanceOf(SSLHandshakeException.class)
                .hasMessageContaining("no_application_protocol");
        assertThat(EngineLink.failureOf(link.client()))
                .isInstanceOf(SSLHandshakeException.class)
                .hasMessageContaining("no_application_protocol");
    }

    @Test
    void theSelectorDecides() throws SSLException {
        EngineLink link = offering("h2", "http/1.1", "spdy/3");
        offer(link.server(), "h2");
        SSLEngine server = link.server().engine();
        List<String> offered = new ArrayList<>();
        List<SSLEngine> seen = new ArrayList<>();
        server.setHandshakeApplicationProtocolSelector((engine, names) -> {
            seen.add(engine);
            offered.addAll(names);
            return "http/1.1";
        });
        assertThat(server.getHandshakeApplicationProtocolSelector()).isNotNull();
        assertAgreed(link.handshake(), "http/1.1");
        assertThat(offered).containsExactly("h2", "http/1.1", "spdy/3");
        assertThat(seen).containsOnly(server).hasSize(1);
        link.assertCarriesData();
    }

    @Test
    void theSelectorMayChooseNone() {
        assertAgreed(selecting("").handshake(), "");
    }

    @Test
    void theSelectorMayReject() {
        assertRejected(selecting(null).attempt());
    }

    @Test
    void theSelectorMayNotInvent() {
        assertRejected(selecting("invented").attempt());
    }

    private EngineLink selecting(@Nullable String choice) {
        EngineLink link = offering("h2", "http/1.1");
        link.server().engine().setHandshakeApplicationProtocolSelector((engine, names) -> choice);
        return link;
    }

    @Test
    void theSelectorIsNotCalledWithoutAnOffer() {
        EngineLink link = pair.link();
        link.server().engine().setHandshakeApplicationProtocolSelector((engine, names) -> {
            throw new AssertionError("called with " + names);
        });
        assertAgreed(link.handshake(), "");
    }

    @Test
    void theSelectorSeesTheHandshakeSession() {
        EngineLink link = offering("h2");
        List<String> protocols = new ArrayList<>();
        link.server().engine().setHandshakeApplicationProtocolSelector((engine, names) -> {
            protocols.add(engine.getHandshakeSession().getProtocol());
            return "h2";
        });
        link.handshake();
        assertThat(protocols).containsExactly(pair.version().protocol());
    }

    @Test
    void aFailingSelectorEndsTheHandshake() {
        EngineLink link = offering("h2");
        link.server().engine().setHandshakeApplicationProtocolSelector((engine, names) -> {
            throw new IllegalStateException("of the selector");
        });
        assertThat(FailureKinds.ofAttempt(link)).isEqualTo("SSLException");
    }

    @Test
    void namesAreBytes() {
        String grease = new String(new byte[] {0x1A, 0x1A}, StandardCharsets.ISO_8859_1);
        String latin = new String(new byte[] {(byte) 0xE4, (byte) 0xFF}, StandardCharsets.ISO_8859_1);
        EngineLink link = offering(grease, latin);
        offer(link.server(), latin);
        assertAgreed(link.handshake(), latin);
    }

    @Test
    void aNameMayHave255Bytes() {
        String longest = "x".repeat(255);
        EngineLink link = offering(longest, "h2");
        offer(link.server(), longest);
        assertAgreed(link.handshake(), longest);
    }
}
