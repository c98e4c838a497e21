package dev.sluice.gateway.outcome;

import dev.sluice.ffi.libc.CounterRegion;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counters by labels: a row for each combination of labels that occurs, up to a limit. Further combinations share one
 * row, whose labels are all {@value #OTHER}, so that peers cannot make a table grow.
 *
 * <p>The thread that owns the region adds rows and counts, without a lock; only the first count of a row allocates. Any
 * thread may read. A lookup scans the rows from the first one: this is for events such as handshakes, of which there
 * are few kinds.
 */
final class CounterTable {
    /** The value of all labels in the shared row. */
    public static final String OTHER = "other";

    private static final int LABELS_MAX = 5;
    private static final String NONE = "";

    private final CounterRegion region;
    private final int firstSlot;
    private final int rowSlots;
    private final int labelCount;

    /** One more than the limit: the last row is shared. */
    private final String[][] labels;

    /** The number of rows; written when a row is complete. */
    private volatile int rows;

    /**
     * Makes a table without rows.
     *
     * @param region has the counters: {@link #slots} of them
     * @param firstSlot the first of them
     * @param labelCount labels of a row, 1 to 5
     * @param rowsMax the limit
     * @param rowSlots counters of a row
     */
    CounterTable(CounterRegion region, int firstSlot, int labelCount, int rowsMax, int rowSlots) {
        if (labelCount < 1 || labelCount > LABELS_MAX) {
            throw new IllegalArgumentException("a row has 1 to " + LABELS_MAX + " labels, labelCount=" + labelCount);
        }
        this.region = region;
        this.firstSlot = firstSlot;
        this.rowSlots = rowSlots;
        this.labelCount = labelCount;
        this.labels = new String[rowsMax + 1][];
        String[] others = new String[LABELS_MAX];
        Arrays.fill(others, OTHER);
        this.labels[rowsMax] = others;
    }

    /** Returns the number of slots that a table needs. */
    static int slots(int rowsMax, int rowSlots) {
        return (rowsMax + 1) * rowSlots;
    }

    // --- for the owner of the region --------------------------------------------------------------------------------

    /** Increments the counter of the row with one label. */
    void increment(String label) {
        region.add(slot(row(label, NONE, NONE, NONE, NONE), 0), 1);
    }

    /** Increments the counter of the row with two labels. */
    void increment(String first, String second) {
        region.add(slot(row(first, second, NONE, NONE, NONE), 0), 1);
    }

    /** Increments the counter of the row with five labels. */
    void increment(String first, String second, String third, String fourth, String fifth) {
        region.add(slot(row(first, second, third, fourth, fifth), 0), 1);
    }

    /** Increments one of the counters of the row with two labels. */
    void incrementAt(int counter, String first, String second) {
        region.add(slot(row(first, second, NONE, NONE, NONE), counter), 1);
    }

    private int row(String first, String second, String third, String fourth, String fifth) {
        int known = rows;
        for (int row = 0; row < known; row++) {
            String[] its = labels[row];
            if (its[0].equals(first)
                    && its[1].equals(second)
                    && its[2].equals(third)
                    && its[3].equals(fourth)
                    && its[4].equals(fifth)) {
                return row;
            }
        }
        if (known == labels.length - 1) {
            return known;
        }
        labels[known] = new String[] {first, second, third, fourth, fifth};
        rows = known + 1;
        return known;
    }

    private int slot(int row, int counter) {
        return firstSlot + row * rowSlots + counter;
    }

    // --- for readers ------------------------------------------------------------------------------------------------

    /** A reader of rows. */
    @FunctionalInterface
    public interface RowReader {
        /**
         * Reads one row.
         *
         * @param labels of the row
         * @param counts values of its counters
         */
        void row(List<String> labels, long[] counts);
    }

    /** Reads all rows in the order in which they were added; the shared row last, if it has counted anything. */
    void forEach(RowReader reader) {
        int known = rows;
        for (int row = 0; row < known; row++) {
            reader.row(labelsOf(row), counts(row));
        }
        int others = labels.length - 1;
        long[] counts = counts(others);
        if (Arrays.stream(counts).anyMatch(count -> count != 0)) {
            reader.row(labelsOf(others), counts);
        }
    }

    /** Returns the sum of all counters. */
    long total() {
        long sum = 0;
        for (int slot = 0; slot < slots(labels.length - 1, rowSlots); slot++) {
            sum += region.get(firstSlot + slot);
        }
        return sum;
    }

    /** Returns the rows of several tables; counters of rows with the same labels are added up. */
    static Map<List<String>, long[]> sum(List<CounterTable> tables) {
        Map<List<String>, long[]> sum = new LinkedHashMap<>();
        for (CounterTable table : tables) {
            table.forEach((labels, counts) -> sum.merge(labels, counts, CounterTable::plus));
        }
        return sum;
    }

    private static long[] plus(long[] some, long[] more) {
        for (int i = 0; i < some.length; i++) {
            some[i] += more[i];
        }
        return some;
    }

    private List<String> labelsOf(int row) {
        return List.of(Arrays.copyOf(labels[row], labelCount));
    }

    private long[] counts(int row) {
        long[] counts = new long[rowSlots];
        for (int counter = 0; counter < rowSlots; counter++) {
            counts[counter] = region.get(slot(row, counter));
        }
        return counts;
    }
}
