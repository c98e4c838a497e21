package dev.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HangupsTest {
    private final Hangups hangups = new Hangups();
    private final AtomicInteger reloads = new AtomicInteger();

    @Test
    void signalsBeforeAReloadIsPossibleLeadToOne() {
        hangups.onSignal();
        hangups.onSignal();

        hangups.run(reloads::incrementAndGet);

        assertThat(reloads).hasValue(1);
        hangups.onSignal();
        assertThat(reloads).hasValue(2);
    }

    @Test
    void withoutASignalNothingIsReloaded() {
        hangups.run(reloads::incrementAndGet);

        assertThat(reloads).hasValue(0);
    }
}
