package dev.sluice.gateway.tickets;

import dev.sluice.config.model.TicketStoreConfig;
import dev.sluice.gateway.earlydata.ReplayVerdict;
import dev.sluice.gateway.earlydata.SharedReplayCheck;
import dev.sluice.tls.context.EarlyDataOffer;
import dev.sluice.tls.context.EarlyDataPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A replay check of a fleet in Redis or Valkey: each flight is a key that is set once and expires when no copy of it is
 * usable any more. A few virtual threads send the requests, each on its own connection; without an answer within {@link
 * #BUDGET} the verdict is {@link ReplayVerdict#STORE_SILENT}.
 *
 * <p>The store must not have forgotten: one that begins empty, after a restart or a failover to one that knew nothing,
 * says so by the lack of a second key, which tells since when it remembers; nothing is fresh for a {@link #WINDOW}
 * then. And clocks must agree, since tickets are aged by them: a node whose clock is {@link #CLOCK_TOLERANCE} off the
 * store's hears that, too. It must not evict keys before their time ({@code maxmemory-policy noeviction}, the default).
 */
public final class RedisReplayCheck implements SharedReplayCheck {
    /** The time within which an answer counts. */
    static final Duration BUDGET = Duration.ofMillis(20);

    /** The amount by which a node's clock may differ from the store's. */
    static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(1);

    /**
     * The time for which an offer is remembered: as long as libssl takes a copy for young, a second for its rounding,
     * and what two nodes' clocks may differ by, twice.
     */
    static final Duration WINDOW = EarlyDataPolicy.FRESHNESS.plusSeconds(1).plus(CLOCK_TOLERANCE.multipliedBy(4));

    /** The suffix of the name under which the ticket keys are stored. */
    static final String SINCE_SUFFIX = ":early:since";

    private static final String FLIGHT_SUFFIX = ":early:";
    private static final int WORKERS = 4;
    private static final int WAITING_MAX = 1_000;
    private static final Duration CONNECT_AGAIN = Duration.ofSeconds(1);

    /** KEYS: the flight, since when. ARGV: the node's time, the tolerance, the window, in milliseconds. */
    private static final byte[] CHECK = ascii("""
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            if math.abs(now - tonumber(ARGV[1])) > tonumber(ARGV[2]) then
                return 'CLOCK_DIFFERS'
            end
            local since = redis.call('GET', KEYS[2])
            if not since then
                redis.call('SET', KEYS[2], now)
                since = now
            end
            if now - tonumber(since) < tonumber(ARGV[3]) then
                return 'STARTING'
            end
            if redis.call('SET', KEYS[1], '', 'NX', 'PX', ARGV[3]) then
                return 'FRESH'
            end
            return 'REPLAYED'
            """);

    private final RedisConnector connector;
    private final Duration budget;
    private final String name;
    private final InstantSource clock;
    private final TicketKeyLog log;
    private final BlockingQueue<Question> questions = new ArrayBlockingQueue<>(WAITING_MAX);
    private final List<Thread> workers = new ArrayList<>();
    private final AtomicBoolean silent = new AtomicBoolean();
    private volatile boolean closed;

    private record Question(EarlyDataOffer offer, Consumer<ReplayVerdict> answer, long deadlineNanos) {
        boolean isLate() {
            return System.nanoTime() - deadlineNanos > 0;
        }
    }

    /**
     * Starts to connect.
     *
     * @param clock the one that tickets are aged by
     * @param log told when the store cannot be asked, value, cause and remedy
     * @throws TicketKeyException when the client library, or what it should trust, is missing
     */
    public static SharedReplayCheck start(TicketStoreConfig.Redis store, InstantSource clock, TicketKeyLog log)
            throws TicketKeyException {
        RedisClient.require();
        return new RedisReplayCheck(
                new RedisConnector(store.address(), RedisTls.trusting(store.authorities())), BUDGET, clock, log);
    }

    /**
     * Creates a check with a store.
     *
     * @param budget within what time an answer counts
     */
    RedisReplayCheck(RedisConnector connector, Duration budget, InstantSource clock, TicketKeyLog log) {
        this.budget = budget;
        this.connector = connector;
        this.name = connector.key();
        this.clock = clock;
        this.log = log;
        for (int i = 0; i < WORKERS; i++) {
            workers.add(Thread.ofVirtual().name("replay-check-" + i).start(new Worker()));
        }
    }

    @Override
    public void ask(EarlyDataOffer offer, Consumer<ReplayVerdict> answer) {
        Question question = new Question(offer, answer, System.nanoTime() + budget.toNanos());
        if (!questions.offer(question)) {
            answer.accept(ReplayVerdict.STORE_SILENT);
        }
    }

    /** One connection, and who asks on it. */
    private final class Worker implements Runnable {
        private @Nullable Jedis redis;
        private long triedNanos;

        @Override
        public void run() {
            try {
                connect();
                while (!closed) {
                    answer(questions.take());
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            } finally {
                disconnect();
            }
        }

        private void answer(Question question) {
            ReplayVerdict verdict = ReplayVerdict.STORE_SILENT;
            if (!question.isLate() && isConnected()) {
                verdict = check(question.offer());
            }
            question.answer().accept(question.isLate() ? ReplayVerdict.STORE_SILENT : verdict);
        }

        private ReplayVerdict check(EarlyDataOffer offer) {
            Jedis connected = redis;
            if (connected == null) {
                return ReplayVerdict.STORE_SILENT;
            }
            try {
                Object told = connected.eval(CHECK, keys(offer), arguments());
                answered();
                return verdict(told);
            } catch (JedisException e) {
                broken(e);
                return ReplayVerdict.STORE_SILENT;
            }
        }

        /** Returns the verdict that the script told; what it does not tell is no answer. */
        private static ReplayVerdict verdict(@Nullable Object told) {
            String text = told instanceof byte[] bytes ? new String(bytes, StandardCharsets.US_ASCII) : "";
            return Arrays.stream(ReplayVerdict.values())
                    .filter(verdict -> verdict.name().equals(text))
                    .findAny()
                    .orElse(ReplayVerdict.STORE_SILENT);
        }

        private boolean isConnected() {
            if (redis == null && System.nanoTime() - triedNanos > CONNECT_AGAIN.toNanos()) {
                connect();
            }
            return redis != null;
        }

        private void connect() {
            triedNanos = System.nanoTime();
            try {
                redis = connector.connect(budget);
            } catch (JedisException e) {
                broken(e);
            }
        }

        /** An answer, not a connection: the kernel accepts for a store that hangs. */
        private void answered() {
            if (silent.get() && silent.getAndSet(false)) {
                log.info("the store " + connector + " answers again whether early data was seen before");
            }
        }

        private void broken(JedisException e) {
            disconnect();
            if (!closed && !silent.getAndSet(true)) {
                log.warn("the store " + connector
                        + " does not answer whether early data was seen before, and such data waits"
                        + " for its client's Finished meanwhile (" + RedisConnector.cause(e)
                        + "); check that it runs, and answers within "
                        + budget.toMillis() + " ms");
            }
        }

        private void disconnect() {
            RedisConnector.closeQuietly(redis);
            redis = null;
        }
    }

    private List<byte[]> keys(EarlyDataOffer offer) {
        HexFormat hex = HexFormat.of();
        String flight = hex.toHexDigits(offer.binderStart()) + hex.toHexDigits(offer.binderNext());
        return List.of(ascii(name + FLIGHT_SUFFIX + flight), ascii(name + SINCE_SUFFIX));
    }

    private List<byte[]> arguments() {
        return List.of(
                ascii(Long.toString(clock.millis())),
                ascii(Long.toString(CLOCK_TOLERANCE.toMillis())),
                ascii(Long.toString(WINDOW.toMillis())));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        closed = true;
        workers.forEach(Thread::interrupt);
    }
}
