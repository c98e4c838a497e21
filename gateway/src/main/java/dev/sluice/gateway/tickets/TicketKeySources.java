package dev.sluice.gateway.tickets;

import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TicketStoreConfig;
import dev.sluice.config.model.TicketStoreConfig.Directory;
import dev.sluice.config.model.TicketStoreConfig.Local;
import dev.sluice.config.model.TicketStoreConfig.Redis;
import dev.sluice.tls.ticket.TicketKeyPlan;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** A factory of the configured source of ticket keys. */
final class TicketKeySources {
    /** The time for which a fleet has keys when its store is lost, where that does not take too many. */
    private static final Duration HORIZON = Duration.ofHours(24);

    private static final int AHEAD_MIN = 4;

    /** A key is in the store for so many polls before it seals: two, with their jitter. */
    private static final int NOTICE_POLLS = 3;

    private TicketKeySources() {}

    static TicketKeys make(TicketConfig config, InstantSource clock, TicketKeyLog log) throws TicketKeyException {
        return switch (config.store()) {
            case Local local -> local(config, local, clock, log);
            case Directory directory -> directory(config, directory, clock, log);
            case Redis redis -> redis(config, redis, new FleetClock(clock), log);
        };
    }

    private static TicketKeys local(TicketConfig config, Local store, InstantSource clock, TicketKeyLog log)
            throws TicketKeyException {
        Path path = store.file();
        StateFile file = path == null ? null : stateFile(path, store.fleetKey());
        TicketKeyRing ring = TicketKeyRing.installed(config.keep(), clock);
        TicketKeyPlan plan = TicketKeyPlan.alone(config.rotate(), config.keep()).jittered();
        return new TicketKeys(ring, new LocalKeys(ring, plan, clock, file, log), clock, log);
    }

    private static StateFile stateFile(Path path, @Nullable Path fleetKey) throws TicketKeyException {
        return new StateFile(path, fleetKey == null ? null : FleetKey.read(fleetKey));
    }

    private static TicketKeys directory(TicketConfig config, Directory store, InstantSource clock, TicketKeyLog log) {
        TicketKeyRing ring = TicketKeyRing.installed(config.keep(), clock);
        return new TicketKeys(ring, new DirectoryKeys(ring, store.path(), clock, log), clock, log);
    }

    private static TicketKeys redis(TicketConfig config, Redis store, FleetClock clock, TicketKeyLog log)
            throws TicketKeyException {
        RedisClient.require();
        DocumentStore documents = new RedisStore(store.address(), RedisTls.trusting(store.authorities()));
        FleetKey key = FleetKey.read(store.fleetKey());
        TicketKeyRing ring = TicketKeyRing.installed(config.keep(), clock);
        Path path = store.cache();
        StateFile cache = path == null ? null : stateFile(path, store.fleetKey());
        TicketKeySource source =
                new SharedKeys(ring, plan(config, store.poll()), clock, documents, key, cache, store.poll(), log);
        TicketKeys keys = new TicketKeys(ring, source, clock, log);
        documents.onChange(keys::look);
        return keys;
    }

    /** So many keys ahead that they last for the horizon. */
    static TicketKeyPlan plan(TicketConfig config, Duration poll) {
        long ahead = Math.clamp(HORIZON.dividedBy(config.rotate()), AHEAD_MIN, Redis.AHEAD_MAX);
        Duration notice = poll.multipliedBy(NOTICE_POLLS);
        return new TicketKeyPlan(config.rotate(), config.keep(), (int) ahead, notice, Duration.ZERO).jittered();
    }

    static @Nullable String problem(TicketStoreConfig store) {
        try {
            switch (store) {
                case Local local -> requireUsable(local);
                case Directory directory -> DirectoryKeys.require(directory.path());
                case Redis redis -> {
                    FleetKey.read(redis.fleetKey()).close();
                    RedisTls.trusting(redis.authorities());
                    RedisClient.require();
                }
            }
            return null;
        } catch (TicketKeyException e) {
            return e.getMessage();
        }
    }

    private static void requireUsable(Local local) throws TicketKeyException {
        Path file = local.file();
        Path key = local.fleetKey();
        if (key != null) {
            FleetKey.read(key).close();
        } else if (file != null) {
            StateFile.requireOwn(file);
        }
    }
}
