package dev.sluice.cost.measure;

import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.Estimate;
import dev.sluice.cost.figures.Figure;
import dev.sluice.ffi.libc.MallocStatistics;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.tls.context.ProtocolVersion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A measurement of all six phases: every probe runs once in each round, in rotating order, so that other load on the
 * machine affects all alike. The figures are medians of rounds, see {@link Estimate}. One warm-up round does not count.
 *
 * <p>CPU time is that of the measuring thread, so that other processes have little influence. Confined to one thread.
 */
public final class Measurement {
    private final Effort effort;
    private final Progress progress;
    private final Map<String, List<Double>> values = new LinkedHashMap<>();
    private final Map<String, Figure.Unit> units = new LinkedHashMap<>();
    private int done;
    private int all;

    /** Prepares a measurement without starting it. */
    public Measurement(Effort effort, Progress progress) {
        this.effort = effort;
        this.progress = progress;
    }

    /**
     * Measures on the OpenSSL of this process.
     *
     * @throws dev.sluice.ffi.openssl.raw.OpenSslNotFoundException when there is none
     */
    public CostProfile run() {
        OpenSsl.require();
        progress.at(0, 1, "generating keys and certificates");
        Map<String, String> facts = MachineFacts.gather();
        CpuClock clock = new CpuClock();
        try (Certificates certificates = new Certificates();
                Probes operations = new Probes(operations(certificates, clock), effort.operationNanos());
                Probes handshakes = new Probes(handshakes(certificates, clock), effort.handshakeNanos());
                Probes memory = new Probes(memory(certificates), 0)) {
            all = (operations.size() + handshakes.size()) * (effort.rounds() + 1)
                    + memory.size() * effort.memoryRounds();
            warmUp(operations);
            warmUp(handshakes);
            for (int round = 0; round < effort.rounds(); round++) {
                count(operations, round);
                count(handshakes, round);
            }
            for (int round = 0; round < effort.memoryRounds(); round++) {
                count(memory, round);
            }
        }
        progress.at(all, all, "");
        return new CostProfile(facts, figures());
    }

    private static List<Probe> operations(Certificates certificates, CpuClock clock) {
        List<Probe> probes = new ArrayList<>(AsymmetricProbes.all(clock));
        probes.addAll(DerivationProbes.all(certificates, clock));
        probes.addAll(AeadProbes.all(clock));
        probes.addAll(LoopbackProbes.all(clock));
        return probes;
    }

    private static List<Probe> handshakes(Certificates certificates, CpuClock clock) {
        List<Probe> probes = new ArrayList<>();
        MeasuredHandshake.all().forEach(kind -> probes.add(new HandshakeProbe(kind, certificates, clock)));
        return probes;
    }

    private List<Probe> memory(Certificates certificates) {
        List<Probe> probes = new ArrayList<>();
        if (MallocStatistics.bytesInUse() != MallocStatistics.UNKNOWN) {
            probes.addAll(MemoryProbes.all(certificates, effort.connections()));
        }
        for (ProtocolVersion version : ProtocolVersion.values()) {
            probes.add(new ResumptionProbe(version, certificates));
        }
        return probes;
    }

    private void warmUp(Probes probes) {
        for (Probe probe : probes.inTurn(0)) {
            tell(probe);
            probe.round(probes.nanos());
        }
    }

    private void count(Probes probes, int round) {
        for (Probe probe : probes.inTurn(round)) {
            tell(probe);
            double[] found = probe.round(probes.nanos());
            List<Probe.Name> names = probe.names();
            for (int i = 0; i < found.length; i++) {
                String path = names.get(i).path();
                values.computeIfAbsent(path, _ -> new ArrayList<>()).add(found[i]);
                units.put(path, names.get(i).unit());
            }
        }
    }

    private void tell(Probe probe) {
        progress.at(done++, all, probe.names().getFirst().path());
    }

    /** Returns the figures in the order of the first round, that of the phases. */
    private List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        values.forEach((path, rounds) -> {
            double[] each = rounds.stream().mapToDouble(Double::doubleValue).toArray();
            figures.add(new Figure(path, units.getOrDefault(path, Figure.Unit.BYTES), Estimate.of(each)));
        });
        return figures;
    }

    /** Probes with the same round time. Owns them. */
    private record Probes(List<Probe> all, long nanos) implements AutoCloseable {
        int size() {
            return all.size();
        }

        /** Returns all probes, rotated by one in each round. */
        List<Probe> inTurn(int round) {
            List<Probe> turned = new ArrayList<>(all);
            Collections.rotate(turned, -round % Math.max(1, all.size()));
            return turned;
        }

        @Override
        public void close() {
            all.forEach(Probe::close);
        }
    }
}
