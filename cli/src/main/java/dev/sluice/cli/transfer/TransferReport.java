package dev.sluice.cli.transfer;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.FigureText;
import dev.sluice.cli.command.StyledLine;
import dev.sluice.cli.command.TerminalSize;
import dev.sluice.cli.gateway.ProblemReport;
import dev.sluice.config.json.Json;
import dev.sluice.transfer.identity.KeyFingerprint;
import dev.sluice.transfer.move.TransferEvent;
import dev.sluice.transfer.move.TransferListener;
import dev.sluice.transfer.move.TransferProgress;
import dev.sluice.transfer.protocol.TransferRole;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.tree.Names;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The report of a command to its user: events, progress and summary, as text or as lines of JSON; docs/transfer.md
 * describes both. Thread-safe.
 */
final class TransferReport implements TransferListener, ProgressView {
    private static final double JSON_PERIOD_SECONDS = 1;
    private static final double MILLIS = 1000;
    /** A shorter time is shown with tenths of a second. */
    private static final double SHORT_SECONDS = 10;

    /** The form of the report. */
    enum Form {
        /** The dashboard, failures, the plan of a dry run, and the summary. */
        TEXT,
        /** Failures only. */
        QUIET,
        /** One line of JSON for each event. */
        JSON
    }

    /** The work of a command. */
    interface Work {
        /** Does it, and returns the exit code. */
        int run(TransferReport report) throws IOException;
    }

    private final Form form;
    private final PrintWriter out;
    private final PrintWriter err;
    private ProgressView view = ProgressView.NONE;
    private double nextProgress = JSON_PERIOD_SECONDS;
    private long unchanged;
    private long planned;
    private long plannedBytes;
    private boolean started;
    private long startNanos = System.nanoTime();

    TransferReport(Form form, PrintWriter out, PrintWriter err) {
        this.form = form;
        this.out = out;
        this.err = err;
    }

    /** Does a command's work; as JSON, reports the exception that ends it. */
    int run(Work work) throws IOException {
        try {
            return work.run(this);
        } catch (IOException | RuntimeException e) {
            if (form == Form.JSON) {
                print(event(
                        "error", "message", String.valueOf(e.getMessage()), "exit_code", ProblemReport.exitCode(e)));
            }
            throw e;
        }
    }

    /** Starts to show the counters of a transfer until the caller closes the result. */
    ProgressTicker follow(TransferRole role, TransferProgress counters) {
        if (form == Form.TEXT) {
            ProgressView chosen = viewFor(role);
            synchronized (this) {
                view = chosen;
            }
        }
        return ProgressTicker.start(this, counters);
    }

    private ProgressView viewFor(TransferRole role) {
        TerminalSize size = "dumb".equals(System.getenv("TERM"))
                ? null
                : TerminalSize.ofStandardError().orElse(null);
        return size == null
                ? new PlainProgress(new Dashboard(role, StyledLine.Styling.PLAIN), err)
                : new DashboardView(new Dashboard(role, StyledLine.Styling.ofEnvironment()), err, size).followingSize();
    }

    @Override
    public synchronized void show(TransferProgress.Snapshot now, TransferRates rates) {
        if (form != Form.JSON) {
            view.show(now, rates);
        } else if (rates.elapsed() >= nextProgress) {
            nextProgress = rates.elapsed() + JSON_PERIOD_SECONDS;
            progress(now, rates);
        }
    }

    @Override
    public synchronized void hide() {
        view.hide();
    }

    /**
     * Reports that this side waits for its peer.
     *
     * @param line the line to type there
     * @param direct the line with this side's address; the same where there is no other way
     */
    void waiting(String line, String direct, KeyFingerprint own) {
        if (form == Form.JSON) {
            print(event("waiting", "command", line, "direct", direct, "fingerprint", own));
        } else {
            String other = direct.equals(line) ? "" : "or, if that does not find this machine:\n\n  " + direct + "\n\n";
            println(
                    out,
                    "On the other machine, in the directory for the files:\n\n  " + line + "\n\n" + other
                            + "This side's key is " + own + ". Waiting; Ctrl-C ends it.");
        }
    }

    /** Reports that this side looks for its peer. */
    void searching(String places) {
        if (form == Form.JSON) {
            print(event("searching", "places", places));
        } else if (form == Form.TEXT) {
            println(out, "Looking for the other machine " + places);
        }
    }

    /** Reports that a peer has mounted the served directory, or unmounted it. */
    void mount(String peer, String event) {
        if (form == Form.JSON) {
            print(event(event, "peer", peer));
        } else if (form == Form.TEXT) {
            println(out, peer + ": " + event);
        }
    }

    /** Reports what a server does. */
    void serving(String address, KeyFingerprint own) {
        if (form == Form.JSON) {
            print(event("serving", "address", address, "fingerprint", own));
        } else if (form == Form.TEXT) {
            println(out, "Serving on " + address + " with the key " + own + ". Ctrl-C ends it.");
        }
    }

    /** Reports the first stream of a transfer, with the peer's name. */
    synchronized void started(String peer) {
        if (started) {
            return;
        }
        started = true;
        startNanos = System.nanoTime();
        if (form == Form.JSON) {
            print(event("started", "peer", peer));
        } else if (form == Form.TEXT) {
            println(out, "Connected with " + peer);
        }
    }

    /** Reports a connection or a transfer of a server that failed. */
    void problem(String message) {
        if (form == Form.JSON) {
            print(event("warning", "message", message));
        } else {
            println(err, "sluice: " + message);
        }
    }

    @Override
    public void on(TransferEvent event) {
        String path = Names.printable(event.path());
        count(event);
        if (form == Form.JSON) {
            print(json(event, path));
        } else if (event instanceof TransferEvent.Failed failed) {
            println(err, "sluice: " + path + ": " + failed.message());
        } else if (event instanceof TransferEvent.Planned && form == Form.TEXT) {
            println(out, path);
        }
    }

    private synchronized void count(TransferEvent event) {
        if (event instanceof TransferEvent.Unchanged) {
            unchanged++;
        } else if (event instanceof TransferEvent.Planned file) {
            planned++;
            plannedBytes += file.size();
        }
    }

    private static Map<String, Object> json(TransferEvent event, String path) {
        return switch (event) {
            case TransferEvent.Completed completed ->
                event("completed", "path", path, "size", completed.size(), "reused", completed.reusedBytes());
            case TransferEvent.Unchanged unchanged -> event("unchanged", "path", path, "size", unchanged.size());
            case TransferEvent.Planned planned -> event("planned", "path", path, "size", planned.size());
            case TransferEvent.Failed failed -> {
                String label = failed.failure().name().toLowerCase(Locale.ROOT);
                yield event("failed", "path", path, "failure", label, "message", failed.message());
            }
        };
    }

    private void progress(TransferProgress.Snapshot now, TransferRates rates) {
        Map<String, Object> line =
                event("progress", "totals", now.totals().name().toLowerCase(Locale.ROOT));
        line.put("files_total", now.filesTotal());
        line.put("files_done", now.filesDone());
        line.put("bytes_total", now.bytesTotal());
        line.put("bytes_done", now.bytesDone());
        line.put("bytes_transferred", now.bytesTransferred());
        line.put("bytes_reused", now.bytesReused());
        line.put("failed", now.failed());
        line.put("bytes_per_second", Math.round(rates.transferred()));
        long left = rates.secondsLeft(now);
        if (left >= 0) {
            line.put("seconds_left", left);
        }
        line.put("active", now.files().stream().map(TransferReport::members).toList());
        line.put(
                "streams",
                now.streams().stream().map(each -> members(each, rates)).toList());
        print(line);
    }

    private static Map<String, Object> members(TransferProgress.ActiveFile file) {
        return members("path", Names.printable(file.path()), "size", file.size(), "done", file.done());
    }

    private static Map<String, Object> members(TransferProgress.ActiveStream stream, TransferRates rates) {
        long rate = Math.round(rates.ofStream(stream.number()));
        return members("stream", stream.number(), "bytes", stream.bytes(), "bytes_per_second", rate);
    }

    /**
     * Reports the end of a transfer.
     *
     * @return the exit code
     */
    synchronized int ended(String verb, TransferSummary summary) {
        return ended(summary, verb + " " + text(summary, unchanged));
    }

    /**
     * Reports the end of a dry run.
     *
     * @return the exit code
     */
    synchronized int planned(TransferSummary summary) {
        return ended(
                summary,
                "Would receive " + files(planned) + failed(summary) + ", " + FigureText.bytes((double) plannedBytes));
    }

    private synchronized int ended(TransferSummary summary, String text) {
        double seconds = (System.nanoTime() - startNanos) / (double) TimeUnit.SECONDS.toNanos(1);
        int exitCode = summary.failed() == 0 ? ExitCode.OK : ExitCode.INCOMPLETE;
        if (form == Form.JSON) {
            Map<String, Object> line = event("summary");
            put(summary, line);
            line.put("unchanged", unchanged);
            line.put("planned", planned);
            line.put("seconds", Math.round(seconds * MILLIS) / MILLIS);
            line.put("exit_code", exitCode);
            print(line);
        } else if (form == Form.TEXT) {
            String same = unchanged == 0 ? "" : ", " + FigureText.count((double) unchanged) + " unchanged";
            println(out, text + same + " in " + text(seconds));
        }
        return exitCode;
    }

    /** Reports the end of one of a server's transfers. */
    void served(String peer, TransferSummary summary) {
        if (form == Form.JSON) {
            Map<String, Object> line = event("served", "peer", peer);
            put(summary, line);
            print(line);
        } else if (form == Form.TEXT) {
            println(out, peer + ": " + text(summary, 0));
        }
    }

    private static String text(TransferSummary summary, long without) {
        return files(summary.files() - without) + failed(summary) + ", " + FigureText.bytes((double) summary.bytes())
                + " over the wire";
    }

    private static String files(long count) {
        return FigureText.count((double) count) + (count == 1 ? " file" : " files");
    }

    private static String failed(TransferSummary summary) {
        return summary.failed() == 0 ? "" : ", " + FigureText.count((double) summary.failed()) + " failed";
    }

    private static String text(double seconds) {
        return seconds < SHORT_SECONDS ? String.format(Locale.ROOT, "%.1f s", seconds) : FigureText.duration(seconds);
    }

    private static void put(TransferSummary summary, Map<String, Object> line) {
        line.put("files", summary.files());
        line.put("failed", summary.failed());
        line.put("bytes", summary.bytes());
    }

    /** Returns an event with members: names and values by turns. */
    private static Map<String, Object> event(String name, Object... members) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", name);
        line.putAll(members(members));
        return line;
    }

    private static Map<String, Object> members(Object... members) {
        Map<String, Object> line = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            line.put(members[i].toString(), members[i + 1]);
        }
        return line;
    }

    private void print(Map<String, Object> line) {
        println(out, Json.compact(line));
    }

    private synchronized void println(PrintWriter to, String line) {
        view.hide();
        to.println(line);
        to.flush();
    }
}
