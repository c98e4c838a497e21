package dev.sluice.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SessionTableTest {
    private static final int SLICE = 10;

    private final SessionTable<Swept> table = new SessionTable<>();

    private static final class Swept extends SessionTable.Entry {
        private int times;
    }

    private List<Swept> add(int count) {
        List<Swept> added = IntStream.range(0, count).mapToObj(i -> new Swept()).toList();
        added.forEach(table::add);
        return added;
    }

    private boolean sweepSlice() {
        return table.sweep(SLICE, session -> session.times++);
    }

    private int sweepAll() {
        table.startSweep();
        int slices = 1;
        while (sweepSlice()) {
            slices++;
        }
        return slices;
    }

    @Test
    void sweepsAllOnceInSlices() {
        List<Swept> sessions = add(95);

        assertThat(sweepAll()).isEqualTo(10);
        assertThat(sessions).allMatch(session -> session.times == 1);
        assertThat(sweepAll()).isEqualTo(10);
        assertThat(sessions).allMatch(session -> session.times == 2);
    }

    @Test
    void oneSliceCallsForNoMoreThanItsCount() {
        List<Swept> sessions = add(95);
        table.startSweep();
        sweepSlice();

        assertThat(sessions).filteredOn(session -> session.times == 1).hasSize(SLICE);
    }

    @Test
    void nothingIsSweptBeforeASweepStarts() {
        List<Swept> sessions = add(5);

        assertThat(sweepSlice()).isFalse();
        assertThat(sessions).allMatch(session -> session.times == 0);
    }

    @Test
    void actionMayRemoveItsSession() {
        List<Swept> sessions = add(95);
        table.startSweep();
        boolean more = true;
        while (more) {
            more = table.sweep(SLICE, session -> {
                session.times++;
                table.remove(session);
            });
        }

        assertThat(sessions).allMatch(session -> session.times == 1);
        assertThat(table.isEmpty()).isTrue();
    }

    /** A removal moves the last session, swept or not, to any position. */
    @Test
    void sessionsThatStayAreSweptOnceAmongArrivalsAndRemovals() {
        Random random = new Random(7);
        for (int sweep = 0; sweep < 600; sweep++) {
            List<Swept> present = add(random.nextInt(80));
            table.startSweep();
            List<Swept> stay = new ArrayList<>(present);
            List<Swept> later = new ArrayList<>();
            boolean more = true;
            while (more) {
                more = sweepSlice();
                for (int i = random.nextInt(6); i > 0 && !stay.isEmpty(); i--) {
                    table.remove(stay.remove(random.nextInt(stay.size())));
                }
                later.addAll(add(random.nextInt(6)));
            }
            assertThat(stay).as("sweep %s", sweep).allMatch(session -> session.times == 1);
            assertThat(later).allMatch(session -> session.times == 0);
            table.forEach(table::remove);
            assertThat(table.isEmpty()).isTrue();
        }
    }
}
