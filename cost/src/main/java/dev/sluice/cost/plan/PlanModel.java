package dev.sluice.cost.plan;

import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.Figure;
import dev.sluice.cost.measure.MeasuredHandshake;
import dev.sluice.cost.plan.Load.Settings;
import dev.sluice.tls.context.ProtocolVersion;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/** The model that predicts the resources of a load from the costs of its parts on this machine. Immutable. */
public final class PlanModel {
    private static final double MICROS_PER_SECOND = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private final CostProfile profile;
    private final BaseCosts base;

    /** Creates a model with the base costs of the profile's machine. */
    public PlanModel(CostProfile profile) {
        this(profile, BaseCosts.of(profile));
    }

    /**
     * Creates a model with given base costs.
     *
     * @param profile the measured costs
     * @param base the costs outside TLS
     */
    PlanModel(CostProfile profile, BaseCosts base) {
        this.profile = profile;
        this.base = base;
    }

    /**
     * Predicts the resources of a load.
     *
     * @throws dev.sluice.cost.figures.CostException when a required figure was not measured
     */
    public Plan plan(Load load) {
        return new Plan(load, cores(load), memory(load));
    }

    /** Returns whether post-quantum key exchange was measured, which requires OpenSSL 3.5 or later. */
    boolean knowsPostQuantum() {
        return profile.has("asymmetric/x25519mlkem768/encapsulate");
    }

    private Map<Plan.Work, Double> cores(Load load) {
        double perSecond = load.newPerSecond() / MICROS_PER_SECOND;
        double full = perSecond * (1 - load.resumption());
        double resumed = perSecond * load.resumption();
        Settings settings = load.settings();
        double asymmetric = full * asymmetric(settings, false) + resumed * asymmetric(settings, true);
        double handshakes = full * handshake(settings, false) + resumed * handshake(settings, true);
        double records = (load.downPerSecond() + load.upPerSecond()) / load.recordBytes();
        Map<Plan.Work, Double> cores = new EnumMap<>(Plan.Work.class);
        cores.put(Plan.Work.ASYMMETRIC, asymmetric);
        cores.put(Plan.Work.DERIVATION, handshakes - asymmetric);
        cores.put(Plan.Work.RECORDS, ciphers(load));
        cores.put(
                Plan.Work.CONNECTIONS, perSecond * base.connectionMicros() + handshakes * (base.handshakeFactor() - 1));
        cores.put(
                Plan.Work.BYTES,
                records * base.messageMicros() / MICROS_PER_SECOND
                        + (load.downPerSecond() + load.upPerSecond()) * base.byteNanos() / NANOS_PER_SECOND);
        return cores;
    }

    /** Returns the microseconds of the server's side of a handshake. */
    private double handshake(Settings settings, boolean resumed) {
        MeasuredHandshake wanted = new MeasuredHandshake(
                settings.version(), settings.key(), resumed, settings.tickets(), settings.postQuantum());
        if (profile.has(wanted.path() + "/server")) {
            return profile.median(wanted.path() + "/server");
        }
        return usual(settings, resumed) + ticketsMore(settings, resumed) + hybridMore(settings, resumed);
    }

    private double usual(Settings settings, boolean resumed) {
        return profile.median(MeasuredHandshake.usual(settings.version(), settings.key(), resumed)
                        .path() + "/server");
    }

    /**
     * Returns the difference made by fewer or more tickets than the default; measured for some certificates only, and
     * the same for all.
     */
    private double ticketsMore(Settings settings, boolean resumed) {
        if (settings.version() == ProtocolVersion.TLS_1_2 || resumed) {
            return 0;
        }
        MeasuredHandshake usual =
                MeasuredHandshake.usual(settings.version(), settings.key().measuredMore(), false);
        MeasuredHandshake single = new MeasuredHandshake(usual.version(), usual.key(), false, 1, false);
        double one = Math.max(0, profile.median(usual.path() + "/server") - profile.median(single.path() + "/server"));
        return one * (settings.tickets() - MeasuredHandshake.USUAL_TICKETS);
    }

    /** Returns the additional cost of post-quantum key exchange, which is the same for all certificates. */
    private double hybridMore(Settings settings, boolean resumed) {
        if (!settings.postQuantum()) {
            return 0;
        }
        MeasuredHandshake usual =
                MeasuredHandshake.usual(settings.version(), settings.key().measuredMore(), resumed);
        MeasuredHandshake hybrid = new MeasuredHandshake(usual.version(), usual.key(), resumed, usual.tickets(), true);
        return profile.median(hybrid.path() + "/server") - profile.median(usual.path() + "/server");
    }

    /** Returns the microseconds of its public-key operations, at most its total. */
    private double asymmetric(Settings settings, boolean resumed) {
        double exchange = settings.postQuantum()
                ? profile.median("asymmetric/x25519mlkem768/encapsulate")
                : profile.median("asymmetric/x25519/keygen") + profile.median("asymmetric/x25519/derive");
        double signature = profile.median("asymmetric/" + settings.key().path() + "/sign");
        double operations =
                !resumed ? exchange + signature : settings.version() == ProtocolVersion.TLS_1_3 ? exchange : 0;
        return Math.min(operations, handshake(settings, resumed));
    }

    private double ciphers(Load load) {
        double down = load.downPerSecond() / load.recordBytes() * recordNanos(load, "seal");
        double up = load.upPerSecond() / load.recordBytes() * recordNanos(load, "open");
        return (down + up) / NANOS_PER_SECOND;
    }

    /** Returns the nanoseconds of a record, interpolated between the two nearest measured sizes. */
    double recordNanos(Load load, String operation) {
        NavigableMap<Double, Double> bySize = new TreeMap<>();
        String prefix = "aead/" + load.settings().cipher() + "/";
        for (Figure figure : profile.under(prefix)) {
            String[] rest = figure.name().substring(prefix.length()).split("/", -1);
            if (rest.length == 2 && rest[1].equals(operation)) {
                bySize.put(Double.valueOf(rest[0]), figure.estimate().median());
            }
        }
        if (bySize.size() < 2) {
            return profile.median(prefix + Load.MAX_RECORD_BYTES + "/" + operation);
        }
        return between(bySize, load.recordBytes());
    }

    private static double between(NavigableMap<Double, Double> values, double at) {
        Map.Entry<Double, Double> from = values.floorEntry(at);
        if (from == null) {
            from = values.firstEntry();
        }
        Map.Entry<Double, Double> to = values.higherEntry(from.getKey());
        if (to == null) {
            to = from;
            from = Objects.requireNonNull(values.lowerEntry(to.getKey()));
        }
        double slope = (to.getValue() - from.getValue()) / (to.getKey() - from.getKey());
        return Math.max(0, from.getValue() + slope * (at - from.getKey()));
    }

    private Map<Plan.Held, Double> memory(Load load) {
        Settings settings = load.settings();
        String engine = "memory/connection/" + settings.engine().path();
        double inFlight = load.newPerSecond() * settings.handshakeSeconds();
        Map<Plan.Held, Double> bytes = new EnumMap<>(Plan.Held.class);
        bytes.put(Plan.Held.HANDSHAKES, inFlight * both("memory/handshake"));
        bytes.put(Plan.Held.CONNECTIONS, load.connections() * (both(engine) + base.connectionBytes()));
        bytes.put(
                Plan.Held.SESSIONS,
                settings.cachedSessions() == 0
                        ? 0
                        : settings.cachedSessions() * profile.median("resumption/cached-session/native"));
        bytes.put(Plan.Held.SOCKETS, load.connections() * 2 * base.socketBytes());
        bytes.put(Plan.Held.PROCESS, base.processBytes());
        return bytes;
    }

    private double both(String path) {
        return profile.median(path + "/native") + profile.median(path + "/java");
    }
}
