package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Renegotiation under TLS 1.2: a feature of SunJSSE, refused by Sluice. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#tls12")
final class EngineRenegotiationTest {
    private final ProviderPair pair;

    EngineRenegotiationTest(ProviderPair pair) {
        this.pair = pair;
    }

    @Test
    void renegotiationOfTheClient() {
        EngineLink link = pair.established();
        Difference.RENEGOTIATION.check(refusing(), outcome(link, link.client()));
    }

    @Test
    void renegotiationOfTheServer() {
        EngineLink link = pair.established();
        Difference.RENEGOTIATION.check(refusing(), outcome(link, link.server()));
    }

    /** Returns Sluice if either end is: it neither starts a renegotiation nor accepts one. */
    private JsseProvider refusing() {
        return pair.client() == JsseProvider.SLUICE ? pair.client() : pair.server();
    }

    private static String outcome(EngineLink link, EnginePeer initiator) {
        EnginePeer other = link.other(initiator);
        long before = other.count(HandshakeStatus.FINISHED);
        try {
            initiator.engine().beginHandshake();
        } catch (SSLException e) {
            return "refused";
        }
        link.settle();
        boolean hasFinished = other.count(HandshakeStatus.FINISHED) > before;
        assertThat(hasFinished && other.failure() != null).isFalse();
        return hasFinished ? "renegotiated" : "refused";
    }
}
