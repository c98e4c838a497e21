package dev.sluice.bench.harness;

/**
 * The order of treatments: a Williams design (E. J. Williams, 1949), the Latin square that also balances predecessors.
 *
 * <p>Over {@link #cycle()} rounds every treatment has every position equally often and follows every other equally
 * often, so that neither drift nor a neighbour's after-effects (caches, TIME_WAIT, frequency) favour one.
 */
final class RoundOrder {
    private final int treatments;

    /**
     * Creates an instance.
     *
     * @param treatments number of treatments, at least 1
     */
    RoundOrder(int treatments) {
        if (treatments < 1) {
            throw new IllegalArgumentException("treatments must be >= 1, treatments=" + treatments);
        }
        this.treatments = treatments;
    }

    /** Returns the number of rounds in a balanced cycle: n for an even number of treatments, 2n for an odd one. */
    int cycle() {
        return treatments % 2 == 0 || treatments == 1 ? treatments : 2 * treatments;
    }

    /**
     * Returns the order of one round.
     *
     * @param round from 0
     * @return indices of the treatments, first to last
     */
    int[] order(int round) {
        int row = Math.floorMod(round, cycle());
        int[] order = new int[treatments];
        for (int position = 0; position < treatments; position++) {
            // The second half of an odd design is the first with every row reversed.
            int column = row < treatments ? position : treatments - 1 - position;
            order[position] = (zigzag(column) + row) % treatments;
        }
        return order;
    }

    /** Returns the first row: 0, 1, n-1, 2, n-2, …: its neighbours differ by every amount once. */
    private int zigzag(int column) {
        return column % 2 == 1 ? (column + 1) / 2 : (treatments - column / 2) % treatments;
    }
}
