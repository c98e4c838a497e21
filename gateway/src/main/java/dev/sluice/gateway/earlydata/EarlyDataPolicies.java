package dev.sluice.gateway.earlydata;

import dev.sluice.config.model.EarlyDataMode;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.net.EventLoop;
import dev.sluice.tls.context.EarlyDataGate;
import dev.sluice.tls.context.EarlyDataOffer;
import dev.sluice.tls.context.EarlyDataPolicy;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The early-data policies of a gateway's listeners, one for each mode that one of them has. Where it waits for the
 * client's Finished nothing needs to be checked; where it goes ahead, one {@link StrikeRegister} sees all of it, or
 * what the fleet shares.
 *
 * <p>May be used from any thread; closed after the last connection.
 */
public final class EarlyDataPolicies implements AutoCloseable {
    /** Most early data of one connection: it waits in memory. */
    public static final int BYTES_MAX = EarlyDataPolicy.MAX_BYTES;

    /** The reason for what was refused before anybody looked whether it was seen before. */
    private static final String UNFIT = "unfit";

    private static final ReplayCheck NO_CHECK = offer -> ReplayVerdict.FRESH;

    private final Map<EarlyDataMode, EarlyDataPolicy> policies = new EnumMap<>(EarlyDataMode.class);
    private final Map<ReplayVerdict, LongAdder> verdicts = new EnumMap<>(ReplayVerdict.class);
    private final LongAdder unfit = new LongAdder();
    private final InstantSource clock;
    private final Supplier<@Nullable SharedReplayCheck> shares;
    private volatile @Nullable SharedReplayCheck shared;
    private @Nullable StrikeRegister register;

    /**
     * Makes nothing yet.
     *
     * @param shares makes what all nodes of a fleet share, or null where there is one node; asked once, when it is
     *     needed
     */
    public EarlyDataPolicies(InstantSource clock, Supplier<@Nullable SharedReplayCheck> shares) {
        this.clock = clock;
        this.shares = shares;
        for (ReplayVerdict verdict : ReplayVerdict.values()) {
            verdicts.put(verdict, new LongAdder());
        }
    }

    /** The policy of listeners with this mode, made when it is first asked for; null for {@link EarlyDataMode#OFF}. */
    public synchronized @Nullable EarlyDataPolicy policy(EarlyDataMode mode) {
        EarlyDataPolicy made = policies.get(mode);
        if (made == null && mode != EarlyDataMode.OFF) {
            made = new EarlyDataPolicy(BYTES_MAX, new Gate(mode == EarlyDataMode.HOLD ? NO_CHECK : check()));
            policies.put(mode, made);
        }
        return made;
    }

    /** Returns the check for forwarded data inside the handshake: none where the fleet is asked afterwards. */
    private ReplayCheck check() {
        SharedReplayCheck fleet = shares.get();
        if (fleet != null) {
            shared = fleet;
            return NO_CHECK;
        }
        StrikeRegister strikes =
                new StrikeRegister(StrikeRegister.DEFAULT_STRIKES_PER_PERIOD, clock, new MallocAllocator());
        register = strikes;
        return strikes;
    }

    /**
     * Does something on the loop when it is known that early data was never seen before: at once where the gate has
     * seen to that, after a while where a fleet is asked, and never if it was, or if anything is in doubt.
     */
    public void whenFresh(EarlyDataOffer offer, EventLoop loop, Runnable then) {
        SharedReplayCheck fleet = shared;
        if (fleet == null) {
            then.run();
            return;
        }
        fleet.ask(offer, verdict -> {
            count(verdict);
            if (verdict == ReplayVerdict.FRESH) {
                loop.execute(then);
            }
        });
    }

    private void count(ReplayVerdict verdict) {
        LongAdder count = verdicts.get(verdict);
        if (count != null) {
            count.increment();
        }
    }

    /** Returns the number of times early data was refused, or held back, for each reason. */
    public Map<String, Long> refused() {
        Map<String, Long> told = new TreeMap<>();
        verdicts.forEach((verdict, count) -> {
            if (verdict != ReplayVerdict.FRESH && count.sum() > 0) {
                told.put(verdict.text(), count.sum());
            }
        });
        if (unfit.sum() > 0) {
            told.put(UNFIT, unfit.sum());
        }
        return told;
    }

    /** A gate that accepts what a check finds fresh, and counts the rest. */
    private final class Gate implements EarlyDataGate {
        private final ReplayCheck check;

        Gate(ReplayCheck check) {
            this.check = check;
        }

        @Override
        public boolean accept(EarlyDataOffer offer) {
            ReplayVerdict verdict = check.check(offer);
            count(verdict);
            return verdict == ReplayVerdict.FRESH;
        }

        @Override
        public void unfit() {
            unfit.increment();
        }
    }

    @Override
    public synchronized void close() {
        policies.values().forEach(EarlyDataPolicy::close);
        if (register != null) {
            register.close();
        }
        SharedReplayCheck fleet = shared;
        if (fleet != null) {
            fleet.close();
        }
    }
}
