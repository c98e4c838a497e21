package dev.sluice.gateway.tickets;

import dev.sluice.config.model.RedisAddress;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The document in Redis or Valkey: a hash with the fields {@code generation} and {@code document}, changed by a script
 * that compares the generation, and announced on a channel of the same name. What is sealed is all that the client
 * library sees.
 *
 * <p>One connection asks, another listens for announcements; both are opened again when they break.
 */
final class RedisStore implements DocumentStore {
    /** The time limit for an answer. */
    static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

    /** The pause before listening again. */
    private static final Duration LISTEN_AGAIN = Duration.ofSeconds(1);

    private static final byte[] GENERATION = ascii("generation");
    private static final byte[] DOCUMENT = ascii("document");
    private static final byte[] REPLACE = ascii("""
            if (redis.call('HGET', KEYS[1], 'generation') or '0') ~= ARGV[1] then
                return 0
            end
            redis.call('HSET', KEYS[1], 'generation', ARGV[2], 'document', ARGV[3])
            redis.call('PUBLISH', KEYS[1], ARGV[2])
            return 1
            """);

    private final RedisConnector connector;
    private final String what;
    private final byte[] key;
    private @Nullable Jedis connection;
    private volatile @Nullable Jedis listening;
    private volatile boolean closed;

    /** The way to ticket keys. */
    RedisStore(RedisAddress address, RedisTls tls) {
        this(address, tls, "ticket keys");
    }

    /**
     * The way to a document.
     *
     * @param what it is, for messages
     */
    RedisStore(RedisAddress address, RedisTls tls, String what) {
        this.what = what;
        this.connector = new RedisConnector(address, tls);
        this.key = address.key().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Snapshot read() throws TicketKeyException {
        try {
            Jedis redis = connected();
            List<byte[]> fields = redis.hmget(key, GENERATION, DOCUMENT);
            Instant time = time(redis.time());
            byte[] generation = fields.get(0);
            byte[] document = fields.get(1);
            if (generation == null && document == null) {
                return new Snapshot(0, new byte[0], time);
            }
            return new Snapshot(generation(generation), document == null ? new byte[0] : document, time);
        } catch (JedisException e) {
            throw failed(e, RedisConnector.cause(e));
        } catch (ClassCastException | NumberFormatException | IndexOutOfBoundsException | DateTimeException e) {
            throw failed(e, "the answer is none of Redis to HMGET or TIME");
        }
    }

    private static Instant time(List<String> secondsAndMicros) {
        return Instant.ofEpochSecond(
                Long.parseLong(secondsAndMicros.get(0)), Long.parseLong(secondsAndMicros.get(1)) * 1_000);
    }

    private long generation(byte @Nullable [] text) throws TicketKeyException {
        String written = text == null ? "" : new String(text, StandardCharsets.US_ASCII);
        try {
            long number = Long.parseLong(written);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // told below
        }
        throw new TicketKeyException(what + " of " + this + " not usable: the generation there is \""
                + written.substring(0, Math.min(written.length(), 20))
                + "\"; if nothing else needs it, delete it, and the nodes write what they have");
    }

    @Override
    public boolean replace(long expected, long generation, byte[] document) throws TicketKeyException {
        try {
            Object done = connected()
                    .eval(
                            REPLACE,
                            List.of(key),
                            List.of(ascii(Long.toString(expected)), ascii(Long.toString(generation)), document));
            return Long.valueOf(1).equals(done);
        } catch (JedisException e) {
            throw failed(e, RedisConnector.cause(e));
        }
    }

    private Jedis connected() {
        Jedis open = connection;
        if (open == null) {
            open = connector.connect(ANSWER_TIMEOUT);
            connection = open;
        }
        return open;
    }

    private TicketKeyException failed(RuntimeException e, String why) {
        RedisConnector.closeQuietly(connection);
        connection = null;
        return new TicketKeyException(
                what + " of " + this + " cannot be read or changed (" + why
                        + "); check that it runs, and that this machine reaches it, with this user and password",
                e);
    }

    // --- announcements ----------------------------------------------------------------------------------------------

    @Override
    public void onChange(Runnable listener) {
        Thread.ofVirtual().name("store-announcements").start(() -> listen(listener));
    }

    private void listen(Runnable listener) {
        while (!closed) {
            try (Jedis redis = connector.connect(Duration.ZERO)) {
                listening = redis;
                redis.subscribe(new Announcements(listener), connector.key());
            } catch (JedisException broken) {
                // The poll goes on, and tells what is wrong.
            }
            listening = null;
            pause();
        }
    }

    private void pause() {
        try {
            if (!closed) {
                Thread.sleep(LISTEN_AGAIN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A message, or that the store is there again, is a reason to look. */
    private static final class Announcements extends JedisPubSub {
        private final Runnable listener;

        Announcements(Runnable listener) {
            this.listener = listener;
        }

        @Override
        public void onSubscribe(String channel, int subscribedChannels) {
            listener.run();
        }

        @Override
        public void onMessage(String channel, String message) {
            listener.run();
        }
    }

    @Override
    public void close() {
        closed = true;
        RedisConnector.closeQuietly(listening);
        RedisConnector.closeQuietly(connection);
        connection = null;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
        return connector.toString();
    }
}
