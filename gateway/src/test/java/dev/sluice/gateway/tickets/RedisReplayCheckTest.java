package dev.sluice.gateway.tickets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.RedisAddress;
import dev.sluice.gateway.earlydata.ReplayVerdict;
import dev.sluice.testkit.RedisServer;
import dev.sluice.tls.context.EarlyDataOffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** Several nodes and a real Redis. */
final class RedisReplayCheckTest {
    /** Generous, so that a busy machine does not make an answer late. */
    private static final Duration BUDGET = Duration.ofSeconds(5);

    private final RedisServer redis = RedisServer.start();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final List<RedisReplayCheck> nodes = new ArrayList<>();

    @BeforeEach
    void requireClient() throws TicketKeyException {
        RedisClient.require();
    }

    @AfterEach
    void close() {
        nodes.forEach(RedisReplayCheck::close);
        redis.close();
    }

    private RedisConnector connector() throws TicketKeyException {
        return new RedisConnector(RedisAddress.parse(redis.url()), RedisTls.trusting(null));
    }

    private RedisReplayCheck node(Duration budget, InstantSource clock) throws TicketKeyException {
        RedisReplayCheck node = new RedisReplayCheck(connector(), budget, clock, new TicketKeyLog() {
            @Override
            public void info(String line) {
                lines.add(line);
            }

            @Override
            public void warn(String line) {
                lines.add(line);
            }
        });
        nodes.add(node);
        return node;
    }

    private RedisReplayCheck node() throws TicketKeyException {
        return node(BUDGET, InstantSource.system());
    }

    /** Makes the check look as if it had run for a long time. */
    private void hasRemembered() throws TicketKeyException {
        try (Jedis open = connector().connect(BUDGET)) {
            open.set(RedisAddress.DEFAULT_KEY + RedisReplayCheck.SINCE_SUFFIX, "1");
        }
    }

    private static ReplayVerdict ask(RedisReplayCheck node, long id) throws Exception {
        Random binder = new Random(id);
        CompletableFuture<ReplayVerdict> answer = new CompletableFuture<>();
        node.ask(new EarlyDataOffer(binder.nextLong(), binder.nextLong(), false), answer::complete);
        return answer.get(30, TimeUnit.SECONDS);
    }

    @Test
    void whatOneNodeHasSeenNoOtherTakes() throws Exception {
        hasRemembered();
        RedisReplayCheck first = node();
        RedisReplayCheck second = node();

        assertThat(ask(first, 1)).isEqualTo(ReplayVerdict.FRESH);
        assertThat(ask(first, 1)).isEqualTo(ReplayVerdict.REPLAYED);
        assertThat(ask(second, 1)).isEqualTo(ReplayVerdict.REPLAYED);
        assertThat(ask(second, 2)).isEqualTo(ReplayVerdict.FRESH);
        assertThat(ask(first, 2)).isEqualTo(ReplayVerdict.REPLAYED);
    }

    @Test
    void whatIsRememberedExpiresWhenNoCopyCanBeUsedAnyMore() throws Exception {
        hasRemembered();
        ask(node(), 1);
        try (Jedis open = connector().connect(BUDGET)) {
            List<Long> left = new ArrayList<>();
            open.keys("*:early:*").forEach(key -> left.add(open.pttl(key)));

            assertThat(left).hasSize(2).contains(-1L); // the second key, which tells since when
            assertThat(left).anyMatch(millis -> millis > 0 && millis <= RedisReplayCheck.WINDOW.toMillis());
        }
        assertThat(RedisReplayCheck.WINDOW).isGreaterThan(Duration.ofSeconds(13));
    }

    @Test
    void aStoreThatBeginsEmptyKnowsNothingYet() throws Exception {
        RedisReplayCheck node = node();
        assertThat(ask(node, 1)).isEqualTo(ReplayVerdict.STARTING);
        assertThat(ask(node, 1)).isEqualTo(ReplayVerdict.STARTING);
        hasRemembered();
        assertThat(ask(node, 1)).isEqualTo(ReplayVerdict.FRESH);

        redis.restartEmpty();
        ReplayVerdict verdict = ask(node, 1);
        for (int i = 0; i < 100 && verdict == ReplayVerdict.STORE_SILENT; i++) {
            Thread.sleep(100); // each connection breaks once, and is made again
            verdict = ask(node, 1);
        }
        assertThat(verdict).isEqualTo(ReplayVerdict.STARTING);
    }

    @Test
    void aNodeWhoseClockDiffersTakesNothing() throws Exception {
        hasRemembered();
        RedisReplayCheck behind = node(BUDGET, InstantSource.offset(InstantSource.system(), Duration.ofSeconds(-10)));
        RedisReplayCheck ahead = node(BUDGET, InstantSource.offset(InstantSource.system(), Duration.ofDays(1)));

        assertThat(ask(behind, 1)).isEqualTo(ReplayVerdict.CLOCK_DIFFERS);
        assertThat(ask(ahead, 1)).isEqualTo(ReplayVerdict.CLOCK_DIFFERS);
        assertThat(ask(node(), 1)).isEqualTo(ReplayVerdict.FRESH);
    }

    @Test
    void aStoreThatDoesNotAnswerIsNotWaitedFor() throws Exception {
        hasRemembered();
        RedisReplayCheck node = node(Duration.ofMillis(20), InstantSource.system());
        redis.suspend();
        try {
            for (int i = 0; i < 10; i++) {
                assertThat(ask(node, i)).isEqualTo(ReplayVerdict.STORE_SILENT);
            }
        } finally {
            redis.resume();
        }
        assertThat(lines).hasSize(1);
        assertThat(lines.element())
                .contains("the store redis://127.0.0.1:", "waits for its client's Finished meanwhile", "within 20 ms");
    }

    /** The kernel accepts connections for it, which are made again after a second. */
    @Test
    void aStoreThatHangsIsReportedOnceThoughItAccepts() throws Exception {
        hasRemembered();
        RedisReplayCheck node = node(Duration.ofMillis(200), InstantSource.system());
        redis.suspend();
        long begin = System.nanoTime();
        try {
            while (System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(2_500)) {
                assertThat(ask(node, 1)).isEqualTo(ReplayVerdict.STORE_SILENT);
            }
        } finally {
            redis.resume();
        }
        assertThat(lines).hasSize(1);

        ReplayVerdict verdict = ask(node, 2);
        for (int i = 0; i < 100 && verdict == ReplayVerdict.STORE_SILENT; i++) {
            Thread.sleep(100);
            verdict = ask(node, 2);
        }
        assertThat(verdict).isEqualTo(ReplayVerdict.FRESH);
        assertThat(lines).hasSize(2).last().asString().contains("answers again");
    }

    @Test
    void withoutAStoreNothingIsFresh() throws Exception {
        redis.kill();
        RedisReplayCheck node = node();

        assertThat(ask(node, 1)).isEqualTo(ReplayVerdict.STORE_SILENT);
        node.close();
    }
}
