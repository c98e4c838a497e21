package dev.sluice.cli.transfer;

import dev.sluice.cli.command.FigureText;
import dev.sluice.cli.command.StyledLine;
import dev.sluice.cli.command.TerminalSize;
import dev.sluice.transfer.move.TransferProgress;
import dev.sluice.transfer.move.TransferProgress.ActiveFile;
import dev.sluice.transfer.move.TransferProgress.ActiveStream;
import dev.sluice.transfer.move.TransferProgress.Snapshot;
import dev.sluice.transfer.protocol.TransferRole;
import dev.sluice.transfer.tree.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The counters of a transfer as lines of text: one for each file that is transferred, one for each stream, and the
 * total. Does no I/O.
 */
final class Dashboard {
    private static final String GAP = "  ";
    private static final int LINES_MAX = 8;
    /** The lines that are neither of files nor of streams: the total, and the one that was printed before. */
    private static final int OTHER_LINES = 2;

    private static final int BAR_STEPS = 20;
    private static final int BAR_FROM_COLUMNS = 76;
    private static final int NAME_MIN = 12;

    private final TransferRole role;
    private final StyledLine.Styling styling;

    /**
     * Creates a dashboard.
     *
     * @param role a source does not know what the target has already: its share is a lower bound
     */
    Dashboard(TransferRole role, StyledLine.Styling styling) {
        this.role = role;
        this.styling = styling;
    }

    /** Returns lines that fit into a terminal. */
    List<StyledLine> lines(Snapshot now, TransferRates rates, TerminalSize size) {
        int room = Math.clamp((size.rows() - OTHER_LINES) / 2, 1, LINES_MAX);
        int columns = size.columns() - 1;
        List<StyledLine> lines = new ArrayList<>();
        shown(now.files(), room).forEach(each -> add(lines, StyledLine.Style.NORMAL, fileLine(each, columns), columns));
        more(lines, now.files().size(), room, "files", columns);
        shown(now.streams(), room)
                .forEach(each -> add(lines, StyledLine.Style.DIM, streamLine(each, rates, columns), columns));
        more(lines, now.streams().size(), room, "streams", columns);
        add(lines, StyledLine.Style.BOLD, fitting(totalParts(now, rates), columns), columns);
        return lines;
    }

    /** Returns the total on one line of any length. */
    String total(Snapshot now, TransferRates rates) {
        return fitting(totalParts(now, rates), Integer.MAX_VALUE).strip();
    }

    private static <T> List<T> shown(List<T> all, int room) {
        return all.size() <= room ? all : all.subList(0, room - 1);
    }

    private void more(List<StyledLine> lines, int all, int room, String what, int columns) {
        if (all > room) {
            add(lines, StyledLine.Style.DIM, "and " + (all - room + 1) + " more " + what, columns);
        }
    }

    /** Adds a line; of one that has no room for its figures, their beginning. */
    private void add(List<StyledLine> lines, StyledLine.Style style, String text, int columns) {
        boolean fits = StyledLine.columnsOf(text) <= columns;
        lines.add(styling.line(style, fits ? text : text.substring(0, Math.min(text.length(), columns))));
    }

    private static String fileLine(ActiveFile file, int columns) {
        String bar = columns >= BAR_FROM_COLUMNS ? bar(file.done(), file.size()) + GAP : "";
        String figures = share(file.done(), file.size())
                + GAP
                + bar
                + padded(bytes(file.done()) + " of " + bytes(file.size()), 20);
        return withName(figures, file.path(), columns);
    }

    private static String streamLine(ActiveStream stream, TransferRates rates, int columns) {
        String figures = String.format(Locale.ROOT, "stream %-3d", stream.number())
                + leftPadded(FigureText.bytes(rates.ofStream(stream.number())) + "/s", 11)
                + GAP
                + leftPadded(bytes(stream.bytes()), 9);
        byte[] path = stream.path();
        return path == null ? figures : withName(figures, path, columns);
    }

    private static String withName(String figures, byte[] path, int columns) {
        int room = columns - figures.length() - GAP.length();
        return room < NAME_MIN ? figures : figures + GAP + StyledLine.endOf(Names.printable(path), room);
    }

    /** Returns what is said of the total, the most important first. */
    private List<String> totalParts(Snapshot now, TransferRates rates) {
        String more = now.totals() == TransferProgress.Totals.GROWING ? "+" : "";
        List<String> parts = new ArrayList<>();
        parts.add(share(now.bytesDone(), now.bytesTotal()));
        parts.add(bytes(now.bytesDone()) + " of " + bytes(now.bytesTotal()) + more);
        parts.add(FigureText.bytes(rates.transferred()) + "/s");
        long left = rates.secondsLeft(now);
        if (left >= 0) {
            parts.add((role == TransferRole.SOURCE ? "at most " : "") + FigureText.duration((double) left) + " left");
        }
        if (role == TransferRole.TARGET) {
            parts.add(count(now.filesDone()) + " of " + count(now.filesTotal()) + more + " files");
        } else {
            parts.add(count(now.filesTotal()) + more + " files offered");
        }
        if (now.failed() > 0) {
            parts.add(count(now.failed()) + " failed");
        }
        return parts;
    }

    /** Returns as many parts as fit, from the first on. */
    private static String fitting(List<String> parts, int columns) {
        StringBuilder line = new StringBuilder();
        for (String part : parts) {
            String next = line.isEmpty() ? part : GAP + part;
            if (line.length() + next.length() > columns) {
                break;
            }
            line.append(next);
        }
        return line.toString();
    }

    private static String bytes(long bytes) {
        return FigureText.bytes((double) bytes);
    }

    private static String count(long value) {
        return FigureText.count((double) value);
    }

    private static String share(long done, long all) {
        return String.format(Locale.ROOT, "%3d %%", all == 0 ? 0 : (int) (100.0 * Math.min(done, all) / all));
    }

    private static String bar(long done, long all) {
        int filled = (int) ((double) BAR_STEPS * Math.min(done, all) / all);
        return "[" + "#".repeat(filled) + ".".repeat(BAR_STEPS - filled) + "]";
    }

    private static String padded(String text, int columns) {
        return text + " ".repeat(Math.max(0, columns - text.length()));
    }

    private static String leftPadded(String text, int columns) {
        return " ".repeat(Math.max(0, columns - text.length())) + text;
    }
}
