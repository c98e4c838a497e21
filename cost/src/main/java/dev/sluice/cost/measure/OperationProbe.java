package dev.sluice.cost.measure;

import dev.sluice.cost.figures.Figure;
import java.util.List;

/** A repetition of an operation that reports the CPU time of one. */
final class OperationProbe implements Probe {
    private static final double NANOS_PER_MICRO = 1e3;

    private final Name name;
    private final Operation operation;
    private final CpuClock clock;
    private final int mostRepeats;

    /** The repetitions per nanosecond, from the previous round; 0 if unknown. */
    private double perNano;

    /** A repeatable operation. */
    interface Operation extends AutoCloseable {
        void run();

        /** Frees its resources. */
        @Override
        void close();

        /** Creates an operation from two functions. */
        static Operation of(Runnable run, Runnable close) {
            return new Operation() {
                @Override
                public void run() {
                    run.run();
                }

                @Override
                public void close() {
                    close.run();
                }
            };
        }
    }

    OperationProbe(String path, Figure.Unit unit, Operation operation, CpuClock clock) {
        this(path, unit, operation, clock, Integer.MAX_VALUE);
    }

    /**
     * Creates an instance.
     *
     * @param mostRepeats maximum repetitions in a round, for operations that leave something behind
     */
    OperationProbe(String path, Figure.Unit unit, Operation operation, CpuClock clock, int mostRepeats) {
        this.name = new Name(path, unit);
        this.operation = operation;
        this.clock = clock;
        this.mostRepeats = mostRepeats;
    }

    @Override
    public List<Name> names() {
        return List.of(name);
    }

    @Override
    public double[] round(long nanos) {
        if (perNano == 0) {
            learn(nanos);
        }
        double each = perOperation(repeats(nanos));
        perNano = 1 / Math.max(1, each);
        return new double[] {name.unit() == Figure.Unit.MICROSECONDS ? each / NANOS_PER_MICRO : each};
    }

    private int repeats(long nanos) {
        return (int) Math.clamp(nanos * perNano, 1, mostRepeats);
    }

    /** Doubles the repetitions until a quarter of the time is used, which also warms up the JIT compiler. */
    private void learn(long nanos) {
        for (int repeats = 1; ; repeats = Math.min(mostRepeats, repeats * 2)) {
            double each = perOperation(repeats);
            if (each * repeats >= nanos / 4.0 || repeats == mostRepeats) {
                perNano = 1 / Math.max(1, each);
                return;
            }
        }
    }

    private double perOperation(int repeats) {
        long before = clock.now();
        for (int i = 0; i < repeats; i++) {
            operation.run();
        }
        return (double) clock.since(before) / repeats;
    }

    @Override
    public void close() {
        operation.close();
    }
}
