package dev.sluice.gateway.counters;

import dev.sluice.ffi.CounterRegion;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counters by labels: a row for each combination of labels that has been seen, up to a limit; what comes then is counted in
 * a row of its own, whose labels are all {@value #OTHER}. So peers cannot make a page grow.
 *
 * <p>Rows are added and counted by the thread that owns the region, without a lock, and without making garbage but with a
 * row's first count; any thread may read. Looking a row up goes through the rows from the first one, which is for events such
 * as handshakes, of which there are few kinds.
 */
public final class CounterTable {
    /** The value of all labels in the row for what has none. */
    public static final String OTHER = "other";

    private static final int LABELS_MAX = 5;
    private static final String NONE = "";

    private final CounterRegion region;
    private final int firstSlot;
    private final int rowSlots;
    private final int labelCount;

    /** One more than the limit: the last is for others. */
    private final String[][] labels;

    /** How many there are; written when a row is complete. */
    private volatile int rows;

    /**
     * Makes a table without rows.
     *
     * @param region where the counters are: {@link #slots} of them
     * @param firstSlot the first of them
     * @param labelCount how many labels a row has, 1 to 5
     * @param rowsMax the limit
     * @param rowSlots counters of one row
     */
    public CounterTable(CounterRegion region, int firstSlot, int labelCount, int rowsMax, int rowSlots) {
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

    /** How many slots a table needs. */
    public static int slots(int rowsMax, int rowSlots) {
        return (rowsMax + 1) * rowSlots;
    }

    // --- for the owner of the region --------------------------------------------------------------------------------

    /** Counts one in the row with this label. */
    public void increment(String label) {
        region.add(slot(row(label, NONE, NONE, NONE, NONE), 0), 1);
    }

    /** The same with two labels. */
    public void increment(String first, String second) {
        region.add(slot(row(first, second, NONE, NONE, NONE), 0), 1);
    }

    /** The same with five labels. */
    public void increment(String first, String second, String third, String fourth, String fifth) {
        region.add(slot(row(first, second, third, fourth, fifth), 0), 1);
    }

    /** Counts one in a counter of the row with two labels. */
    public void incrementAt(int counter, String first, String second) {
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

    /** Is shown a row. */
    @FunctionalInterface
    public interface RowReader {
        /**
         * A row.
         *
         * @param labels of the row
         * @param counts what its counters stand at
         */
        void row(List<String> labels, long[] counts);
    }

    /** Shows all rows in the order in which they came; that of others last, if anything is in it. */
    public void forEach(RowReader reader) {
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

    /** The rows of several tables, those with the same labels added up. */
    public static Map<List<String>, long[]> sum(List<CounterTable> tables) {
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
