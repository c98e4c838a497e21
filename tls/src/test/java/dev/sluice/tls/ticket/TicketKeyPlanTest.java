package dev.sluice.tls.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.openssl.TicketKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of key rotation plans, in seconds. */
final class TicketKeyPlanTest {
    private static final TicketKeyPlan PLAN = new TicketKeyPlan(
            Duration.ofSeconds(100), Duration.ofSeconds(300), 3, Duration.ofSeconds(30), Duration.ZERO);

    private final List<TicketKey> made = new ArrayList<>();

    @AfterEach
    void wipe() {
        made.forEach(TicketKey::close);
    }

    private TicketKey make() {
        made.add(TicketKey.random(new MallocAllocator()));
        return made.getLast();
    }

    private List<TimedTicketKey> advanced(List<TimedTicketKey> keys, long seconds) {
        return PLAN.advanced(keys, seconds * 1_000, this::make);
    }

    /** Returns generation and start of each key. */
    private static List<String> starts(List<TimedTicketKey> keys) {
        return keys.stream()
                .map(key -> key.generation() + "@" + key.notBeforeMillis() / 1_000)
                .toList();
    }

    @Test
    void theFirstKeySealsAtOnceWithSeveralAhead() {
        List<TimedTicketKey> keys = advanced(List.of(), 1_000);
        assertThat(starts(keys)).containsExactly("1@1000", "2@1100", "3@1200", "4@1300");
        assertThat(keys.getFirst().notAfterMillis()).isEqualTo(1_400_000);
        assertThat(PLAN.nextChangeMillis(keys, 1_000_000)).isEqualTo(1_100_000);
    }

    @Test
    void doesNothingBeforeItIsDue() {
        List<TimedTicketKey> keys = advanced(List.of(), 1_000);
        assertThat(advanced(keys, 1_099)).isEqualTo(keys);
        assertThat(starts(advanced(keys, 1_100))).containsExactly("1@1000", "2@1100", "3@1200", "4@1300", "5@1400");
    }

    @Test
    void givesALateKeyItsNotice() {
        List<TimedTicketKey> keys = advanced(List.of(), 1_000);
        assertThat(starts(advanced(keys, 1_590))).containsExactly("3@1200", "4@1300", "5@1620", "6@1720", "7@1820");
    }

    @Test
    void skipsTheNoticeWithoutAKeyInForce() {
        List<TimedTicketKey> keys = advanced(List.of(), 1_000);
        assertThat(starts(advanced(keys, 5_000))).containsExactly("5@5000", "6@5100", "7@5200", "8@5300");
    }

    @Test
    void rotationDropsFutureKeys() {
        List<TimedTicketKey> keys = advanced(List.of(), 1_000);
        assertThat(starts(PLAN.rotated(keys, 1_150_000, this::make)))
                .containsExactly("1@1000", "2@1100", "5@1180", "6@1280", "7@1380");
    }

    @Test
    void openingOnlyKeysDoNotReplaceOthers() {
        TimedTicketKey opening = new TimedTicketKey(make(), 0, 0, 2_000_000);
        List<TimedTicketKey> keys = advanced(List.of(opening), 1_000);
        assertThat(starts(keys)).containsExactly("0@0", "1@1000", "2@1100", "3@1200", "4@1300");
    }

    @Test
    void rejectsMoreKeysThanARingHolds() {
        assertThatThrownBy(() -> new TicketKeyPlan(
                        Duration.ofSeconds(1), Duration.ofSeconds(100), 32, Duration.ZERO, Duration.ZERO))
                .hasMessageContaining("rotate more slowly");
    }

    @Test
    void jitterShortensTheSealingTime() {
        TicketKeyPlan jittered = new TicketKeyPlan(
                        Duration.ofSeconds(100), Duration.ofSeconds(300), 60, Duration.ZERO, Duration.ZERO)
                .jittered();
        List<TimedTicketKey> keys = jittered.advanced(List.of(), 1_000_000, this::make);

        List<Long> lengths = new ArrayList<>();
        for (int i = 1; i < keys.size(); i++) {
            lengths.add(keys.get(i).notBeforeMillis() - keys.get(i - 1).notBeforeMillis());
        }
        assertThat(lengths).hasSize(60).allMatch(millis -> millis >= 90_000 && millis <= 100_000);
        assertThat(lengths.stream().distinct().count()).isGreaterThan(10);
        assertThat(keys.getLast().notAfterMillis() - keys.getLast().notBeforeMillis())
                .as("the last sealed ticket has the same lifetime as any other")
                .isEqualTo(400_000);
    }

    @Test
    void rejectsAJitterOfTheWholeInterval() {
        Duration rotate = Duration.ofSeconds(2);
        assertThatThrownBy(() -> new TicketKeyPlan(rotate, rotate, 1, Duration.ZERO, rotate))
                .hasMessageContaining("jitter=PT2S");
    }
}
