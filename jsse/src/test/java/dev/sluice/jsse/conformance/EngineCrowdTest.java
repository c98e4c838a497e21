package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A thousand engines at once, and engines that are dropped unclosed. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#tls13")
final class EngineCrowdTest {
    private static final int LINKS = 500;

    private final ProviderPair pair;

    EngineCrowdTest(ProviderPair pair) {
        this.pair = pair;
    }

    @Test
    void aThousandEnginesLiveAtOnce() throws SSLException {
        List<EngineLink> links = new ArrayList<>();
        for (int i = 0; i < LINKS; i++) {
            links.add(pair.established());
        }
        for (EngineLink each : links) {
            each.assertCarriesData();
        }
        for (EngineLink each : links) {
            each.close();
            assertThat(each.client().engine().isInboundDone()).isTrue();
            assertThat(each.server().engine().isInboundDone()).isTrue();
        }
    }

    @Test
    void droppedEnginesDoNotDisturbOthers() throws SSLException {
        EngineLink kept = pair.established();
        for (int i = 0; i < 30; i++) {
            pair.link();
            pair.link().client().wrap();
            EngineLink halfway = pair.link();
            halfway.client().wrap();
            halfway.deliver();
            halfway.server().step();
            halfway.server().step();
            pair.established();
        }
        System.gc();
        kept.assertCarriesData();
        EngineLink another = pair.established();
        another.assertCarriesData();
        another.close();
    }
}
