package dev.sluice.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.command.Screen;
import dev.sluice.cli.command.StyledLine;
import dev.sluice.cli.command.TerminalSize;
import dev.sluice.transfer.move.TransferProgress.ActiveFile;
import dev.sluice.transfer.move.TransferProgress.ActiveStream;
import dev.sluice.transfer.move.TransferProgress.Snapshot;
import dev.sluice.transfer.move.TransferProgress.Totals;
import dev.sluice.transfer.protocol.TransferRole;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of what the dashboard shows, by a clock and terminals of the test's own. */
final class DashboardTest {
    private static final long MIB = 1 << 20;

    private final TransferRates rates = new TransferRates(0);
    private final Dashboard dashboard = new Dashboard(TransferRole.TARGET, StyledLine.Styling.PLAIN);

    @Test
    void showsFilesStreamsAndTotal() {
        assertThat(shown(two(), 120, 24))
                .containsExactly(
                        " 50 %  [##########..........]  512 MiB of 1.0 GiB    photos/2026/one.jpg",
                        "  2 %  [....................]  10.0 MiB of 400 MiB   photos/2026/a long name of a moving "
                                + "picture.mov",
                        "stream 0    100 MiB/s    100 MiB  photos/2026/one.jpg",
                        "stream 1   50.0 MiB/s   50.0 MiB  photos/2026/a long name of a moving picture.mov",
                        " 40 %  600 MiB of 1.5 GiB  150 MiB/s  2 s left  7 of 10 files  1 failed");
    }

    @Test
    void leavesOutDetailsOnANarrowTerminal() {
        assertThat(shown(two(), 60, 24))
                .containsExactly(
                        " 50 %  512 MiB of 1.0 GiB    photos/2026/one.jpg",
                        "  2 %  10.0 MiB of 400 MiB   ~ name of a moving picture.mov",
                        "stream 0    100 MiB/s    100 MiB  photos/2026/one.jpg",
                        "stream 1   50.0 MiB/s   50.0 MiB  ~ of a moving picture.mov",
                        " 40 %  600 MiB of 1.5 GiB  150 MiB/s  2 s left");
    }

    @Test
    void fitsIntoAnyWidth() {
        for (int columns = 1; columns <= 130; columns++) {
            int width = columns;
            assertThat(lines(two(), columns, 24)).allSatisfy(each -> {
                assertThat(each.columns()).isLessThanOrEqualTo(width - 1);
                assertThat(each.columns()).isEqualTo(StyledLine.columnsOf(each.text()));
            });
        }
    }

    @Test
    void summarizesWhatALowTerminalHasNoRowsFor() {
        List<ActiveStream> streams = IntStream.range(0, 64)
                .mapToObj(each -> new ActiveStream(each, MIB, null))
                .toList();
        List<String> lines = shown(snapshot(Totals.FINAL, List.of(), streams), 80, 10);
        assertThat(lines).hasSize(5).element(3).isEqualTo("and 61 more streams");
        assertThat(shown(snapshot(Totals.FINAL, List.of(), streams), 80, 1)).hasSize(2);
    }

    @Test
    void namesNoEstimateWhileTotalsGrow() {
        assertThat(shown(snapshot(Totals.GROWING, List.of(), List.of()), 120, 24))
                .containsExactly(" 40 %  600 MiB of 1.5 GiB+  150 MiB/s  7 of 10+ files  1 failed");
    }

    @Test
    void callsTheEstimateOfASourceABound() {
        Dashboard source = new Dashboard(TransferRole.SOURCE, StyledLine.Styling.PLAIN);
        Snapshot now = snapshot(Totals.FINAL, List.of(), List.of());
        rates.sample(now, seconds(4));
        assertThat(source.total(now, rates))
                .isEqualTo("40 %  600 MiB of 1.5 GiB  37.5 MiB/s  at most 6 s left  10 files offered  1 failed");
    }

    @Test
    void showsNoControlCharactersOfNames() {
        ActiveFile hostile = new ActiveFile(bytes("a\u001b[2Jb\nc\u202ed"), 2 * MIB, MIB);
        assertThat(shown(snapshot(Totals.FINAL, List.of(hostile), List.of()), 120, 24))
                .first()
                .asString()
                .endsWith("  a\\x1b[2Jb\\x0ac\\xe2\\x80\\xaed");
    }

    @Test
    void isRepaintedInPlaceBelowPrintedLines() {
        Screen screen = new Screen(60);
        DashboardView view = new DashboardView(dashboard, screen.writer(), new TerminalSize(24, 60));
        view.show(two(), rates);
        view.hide();
        screen.writer().println("sluice: escape: refused");
        view.show(two(), rates);
        view.show(snapshot(Totals.FINAL, List.of(), List.of()), rates);
        assertThat(screen.rows()).hasSize(2).first().isEqualTo("sluice: escape: refused");
        view.hide();
        assertThat(screen.rows()).containsExactly("sluice: escape: refused");
        assertThat(screen.styled()).isZero();
    }

    @Test
    void emphasizesUnlessNoColorIsDemanded() {
        Screen screen = new Screen(80);
        Dashboard styled = new Dashboard(TransferRole.TARGET, StyledLine.Styling.ANSI);
        new DashboardView(styled, screen.writer(), new TerminalSize(24, 80)).show(two(), rates);
        // Two streams and the total, each with a beginning and an end.
        assertThat(screen.styled()).isEqualTo(6);
    }

    @Test
    void printsALineEveryTenSecondsWithoutATerminal() {
        StringWriter text = new StringWriter();
        PlainProgress plain = new PlainProgress(dashboard, new PrintWriter(text, true));
        for (int quarter = 1; quarter <= 84; quarter++) {
            Snapshot now = snapshot(Totals.FINAL, List.of(), List.of());
            rates.sample(now, seconds(1) * quarter / 4);
            plain.show(now, rates);
        }
        assertThat(text.toString().lines())
                .hasSize(2)
                .allSatisfy(each -> assertThat(each).startsWith("progress: 40 %  600 MiB of 1.5 GiB  "));
    }

    @Test
    void averagesRatesOverSomeSeconds() {
        rates.sample(moved(100), seconds(1));
        assertThat(rates.transferred()).isEqualTo(100);
        rates.sample(moved(100), seconds(2));
        assertThat(rates.transferred()).isBetween(55.0, 65.0);
        rates.sample(moved(100), seconds(30));
        assertThat(rates.transferred()).isLessThan(1);
        assertThat(rates.elapsed()).isEqualTo(30);
    }

    private Snapshot two() {
        return snapshot(
                Totals.FINAL,
                List.of(
                        new ActiveFile(bytes("photos/2026/one.jpg"), 1024 * MIB, 512 * MIB),
                        new ActiveFile(bytes("photos/2026/a long name of a moving picture.mov"), 400 * MIB, 10 * MIB)),
                List.of(
                        new ActiveStream(0, 100 * MIB, bytes("photos/2026/one.jpg")),
                        new ActiveStream(1, 50 * MIB, bytes("photos/2026/a long name of a moving picture.mov"))));
    }

    private static Snapshot snapshot(Totals totals, List<ActiveFile> files, List<ActiveStream> streams) {
        return new Snapshot(totals, 10, 1500 * MIB, 7, 600 * MIB, 150 * MIB, 0, 1, files, streams);
    }

    private static Snapshot moved(long bytes) {
        return new Snapshot(Totals.FINAL, 1, 1000, 0, bytes, bytes, 0, 0, List.of(), List.of());
    }

    private List<StyledLine> lines(Snapshot now, int columns, int rows) {
        rates.sample(now, seconds(1));
        return dashboard.lines(now, rates, new TerminalSize(rows, columns));
    }

    private List<String> shown(Snapshot now, int columns, int rows) {
        return lines(now, columns, rows).stream()
                .map(StyledLine::text)
                .map(String::stripTrailing)
                .toList();
    }

    private static long seconds(int count) {
        return TimeUnit.SECONDS.toNanos(count);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
