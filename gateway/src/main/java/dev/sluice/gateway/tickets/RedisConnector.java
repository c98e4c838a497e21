package dev.sluice.gateway.tickets;

import dev.sluice.config.model.RedisAddress;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.exceptions.JedisException;

/** A factory of connections to one Redis or Valkey. May be used from any thread. */
final class RedisConnector {
    /** The time limit for a connection. */
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    private final RedisAddress address;
    private final RedisTls tls;

    RedisConnector(RedisAddress address, RedisTls tls) {
        this.address = address;
        this.tls = tls;
    }

    /** The name under which things stand there. */
    String key() {
        return address.key();
    }

    /**
     * Makes a connection.
     *
     * @param answer how long an answer may take; zero: for ever
     * @throws redis.clients.jedis.exceptions.JedisException when it cannot
     */
    Jedis connect(Duration answer) {
        DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                .resp2()
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .connectionTimeoutMillis((int) CONNECT_TIMEOUT.toMillis())
                .socketTimeoutMillis((int) answer.toMillis())
                .user(address.user())
                .password(address.password())
                .database(address.database());
        if (address.tls()) {
            config.sslOptions(sslOptions(tls.store()));
        }
        Jedis redis = new Jedis(new HostAndPort(address.host(), address.port()), config.build());
        try {
            redis.connect();
            return redis;
        } catch (RuntimeException e) {
            closeQuietly(redis);
            throw e;
        }
    }

    /** The certificate must be for the host that is named, too. */
    private static SslOptions sslOptions(byte @Nullable [] trustStore) {
        SslOptions.Builder options = SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL);
        if (trustStore != null) {
            options.trustStoreType(RedisTls.TYPE)
                    .truststore(() -> new ByteArrayInputStream(trustStore), RedisTls.password());
        }
        return options.build();
    }

    /** Returns the root cause of a failure. */
    static String cause(Throwable e) {
        Throwable root = e;
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            root = cause;
        }
        // Why a connection was not made: one reason for each address of the host, of which the first will do.
        Throwable[] reasons = root.getSuppressed();
        return root.getMessage() + (reasons.length == 0 ? "" : " " + reasons[0].getMessage());
    }

    /** Closes what may be broken already. */
    static void closeQuietly(@Nullable Jedis redis) {
        try {
            if (redis != null) {
                redis.close();
            }
        } catch (JedisException alreadyBroken) {
            // It is gone either way.
        }
    }

    /** Without user and password. */
    @Override
    public String toString() {
        return address.toString();
    }
}
