package dev.sluice.gateway;

import dev.sluice.ffi.MallocAllocator;
import dev.sluice.gateway.config.EarlyDataMode;
import dev.sluice.gateway.config.GatewayConfig;
import dev.sluice.gateway.earlydata.ReplayCheck;
import dev.sluice.gateway.earlydata.ReplayVerdict;
import dev.sluice.gateway.earlydata.StrikeRegister;
import dev.sluice.tls.EarlyDataGate;
import dev.sluice.tls.EarlyDataOffer;
import dev.sluice.tls.EarlyDataPolicy;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How a gateway's listeners take early data, one policy for each mode that one of them has. Where it waits for the client's
 * Finished nothing needs to be checked; where it goes ahead, one {@link StrikeRegister} sees all of it.
 *
 * <p>May be used from any thread; closed after the last connection.
 */
final class EarlyDataPolicies implements AutoCloseable {
    /** Most early data of one connection: it waits in memory. */
    static final int BYTES_MAX = EarlyDataPolicy.MAX_BYTES;

    /** The reason for what was refused before anybody looked whether it was seen before. */
    private static final String UNFIT = "unfit";

    private final Map<EarlyDataMode, EarlyDataPolicy> policies = new EnumMap<>(EarlyDataMode.class);
    private final Map<ReplayVerdict, LongAdder> verdicts = new EnumMap<>(ReplayVerdict.class);
    private final LongAdder unfit = new LongAdder();
    private @Nullable StrikeRegister register;

    /** Makes what the configuration asks for, which may be nothing. */
    EarlyDataPolicies(GatewayConfig config, InstantSource clock) {
        for (ReplayVerdict verdict : ReplayVerdict.values()) {
            verdicts.put(verdict, new LongAdder());
        }
        if (hasListener(config, EarlyDataMode.HOLD)) {
            add(EarlyDataMode.HOLD, new Gate(offer -> ReplayVerdict.FRESH));
        }
        if (hasListener(config, EarlyDataMode.FORWARD)) {
            StrikeRegister strikes =
                    new StrikeRegister(StrikeRegister.DEFAULT_STRIKES_PER_PERIOD, clock, new MallocAllocator());
            register = strikes;
            add(EarlyDataMode.FORWARD, new Gate(strikes));
        }
    }

    private static boolean hasListener(GatewayConfig config, EarlyDataMode mode) {
        return config.listeners().stream().anyMatch(listener -> listener.tls().earlyData() == mode);
    }

    private void add(EarlyDataMode mode, EarlyDataGate gate) {
        policies.put(mode, new EarlyDataPolicy(BYTES_MAX, gate));
    }

    /** The policy of listeners with this mode; null for {@link EarlyDataMode#OFF}. */
    @Nullable
    EarlyDataPolicy policy(EarlyDataMode mode) {
        return policies.get(mode);
    }

    /** How often early data was refused for each reason. */
    Map<String, Long> refused() {
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

    /** Takes what a check finds fresh, and counts the rest. */
    private final class Gate implements EarlyDataGate {
        private final ReplayCheck check;

        Gate(ReplayCheck check) {
            this.check = check;
        }

        @Override
        public boolean accept(EarlyDataOffer offer) {
            ReplayVerdict verdict = check.check(offer);
            LongAdder count = verdicts.get(verdict);
            if (count != null) {
                count.increment();
            }
            return verdict == ReplayVerdict.FRESH;
        }

        @Override
        public void unfit() {
            unfit.increment();
        }
    }

    @Override
    public void close() {
        policies.values().forEach(EarlyDataPolicy::close);
        if (register != null) {
            register.close();
        }
    }
}
