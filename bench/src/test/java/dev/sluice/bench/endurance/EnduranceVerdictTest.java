package dev.sluice.bench.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.process.Answer;
import dev.sluice.bench.scrape.GatewayFigures;
import dev.sluice.bench.scrape.MetricsPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class EnduranceVerdictTest {
    private static final long MIB = 1024 * 1024;
    private static final MetricsPage PAGE = page(0, 0);

    private final Timetable timetable = Timetable.of(3_600);

    @Test
    void aRunInWhichNothingBrokeHasNoFault() {
        assertThat(new EnduranceVerdict(timetable, moments(0, second -> 100, PAGE)).faults())
                .isEmpty();
    }

    @Test
    void brokenConnectionsAndDefectsAreFaults() {
        assertThat(new EnduranceVerdict(timetable, moments(2, second -> 100, page(3, 1))).faults())
                .hasSize(3)
                .anyMatch(fault -> fault.startsWith("honest connections broke: 238,"))
                .anyMatch(fault -> fault.startsWith("uncaught exceptions on event loops: "))
                .anyMatch(fault -> fault.startsWith("reloads refused: 1,"));
    }

    /** Checks that a signal that nobody heeds is not taken for a reload without failures. */
    @Test
    void reloadsThatNeverHappenedAreAFault() {
        MetricsPage without = new MetricsPage(PAGE.text().replace("served\"} 7", "served\"} 0"));

        assertThat(new EnduranceVerdict(timetable, moments(0, second -> 100, without)).faults())
                .containsExactly("no reload was served");
    }

    /** Checks that the processes of hot restarts, which overlap in the first half, are not taken for growth. */
    @Test
    void memoryCountsInTheSecondHalfOnly() {
        LongUnaryOperator restarted = second -> second < 1_800 ? 300 : 100;
        LongUnaryOperator growing = second -> 100 + second / 60;

        assertThat(new EnduranceVerdict(timetable, moments(0, restarted, PAGE)).faults())
                .isEmpty();
        assertThat(new EnduranceVerdict(timetable, moments(0, growing, PAGE)).faults())
                .singleElement()
                .asString()
                .contains("resident memory grew from 133", "to 156");
    }

    @Test
    void namesWhatIsLeftAndWhatOthersReport() {
        EnduranceVerdict verdict = new EnduranceVerdict(timetable, moments(0, second -> 100, PAGE));
        verdict.attacked("silent", 4);
        verdict.left(figures(0, 10), figures(0, 40));
        verdict.add(List.of("gateway-2.log: an error"));

        assertThat(verdict.faults())
                .containsExactly(
                        "silent: connections not ended in time: 4, at most 0 expected",
                        "descriptors open: 40, at most 18 expected",
                        "gateway-2.log: an error");
    }

    /** Checks that a run whose clients could not connect is no proof. */
    @Test
    void clientsThatDidNothingAreAFault() {
        Moment idle = new Moment(1, traffic(0, 0), figures(100, 10), PAGE, 1);

        assertThat(new EnduranceVerdict(timetable, List.of(idle)).faults()).containsExactly("the clients did nothing");
    }

    private List<Moment> moments(int broken, LongUnaryOperator mebibytes, MetricsPage page) {
        List<Moment> moments = new ArrayList<>();
        timetable.entries().stream()
                .filter(entry -> entry.event() == Event.MOMENT)
                .map(Timetable.Entry::second)
                .forEach(second -> moments.add(new Moment(
                        second, traffic(broken, 1_000), figures(mebibytes.applyAsLong(second) * MIB, 10), page, 1)));
        return moments;
    }

    private static GatewayFigures figures(long resident, long descriptors) {
        return new GatewayFigures(0, 0, 128, Map.of(), resident, descriptors, 1);
    }

    private static Answer traffic(int broken, double done) {
        return new Answer(
                "ok", Map.of("messages", done, "visits", done, "echoed", done, "broken", (double) broken, "p50", 1.0));
    }

    private static MetricsPage page(int uncaught, int refused) {
        return new MetricsPage("""
                sluice_loop_uncaught_total{loop="loop-0"} %d
                sluice_config_reload_total{result="served"} 7
                sluice_config_reload_total{result="refused"} %d
                """.formatted(uncaught, refused));
    }
}
