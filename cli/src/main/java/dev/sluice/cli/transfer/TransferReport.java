package dev.sluice.cli.transfer;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.FigureText;
import dev.sluice.config.json.Json;
import dev.sluice.transfer.identity.KeyFingerprint;
import dev.sluice.transfer.move.TransferEvent;
import dev.sluice.transfer.move.TransferListener;
import dev.sluice.transfer.move.TransferProgress;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.tree.Names;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The report of a command to its user: events, progress and summary, as text or as lines of JSON. Thread-safe. */
final class TransferReport implements TransferListener {
    /** The form of the report. */
    enum Form {
        /** Failures, the plan of a dry run, and the summary. */
        TEXT,
        /** Failures only. */
        QUIET,
        /** One line of JSON for each event. */
        JSON
    }

    private final Form form;
    private final PrintWriter out;
    private final PrintWriter err;
    private final long start = System.nanoTime();

    TransferReport(Form form, PrintWriter out, PrintWriter err) {
        this.form = form;
        this.out = out;
        this.err = err;
    }

    Form form() {
        return form;
    }

    /**
     * Reports that this side waits for its peer.
     *
     * @param line the line to type there
     */
    void waiting(String line, KeyFingerprint own) {
        if (form == Form.JSON) {
            print(event("waiting", "command", line, "fingerprint", own));
        } else {
            println(
                    out,
                    "On the other machine, in the directory for the files:\n\n  " + line + "\n\nThis side's key is "
                            + own + ". Waiting; Ctrl-C ends it.");
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

    /** Reports the peer's name. */
    void connected(String peer) {
        if (form == Form.JSON) {
            print(event("connected", "peer", peer));
        } else if (form == Form.TEXT) {
            println(out, "Connected with " + peer);
        }
    }

    /** Reports a connection or a transfer of a server that failed. */
    void problem(String message) {
        if (form == Form.JSON) {
            print(event("problem", "message", message));
        } else {
            println(err, "sluice: " + message);
        }
    }

    @Override
    public void on(TransferEvent event) {
        String path = Names.printable(event.path());
        if (form == Form.JSON) {
            print(json(event, path));
        } else if (event instanceof TransferEvent.Failed failed) {
            println(err, "sluice: " + path + ": " + failed.message());
        } else if (event instanceof TransferEvent.Planned && form == Form.TEXT) {
            println(out, path);
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

    /** Reports the counters, where lines are read by a program. */
    void progress(TransferProgress.Snapshot now) {
        Map<String, Object> line =
                event("progress", "totals", now.totals().name().toLowerCase(Locale.ROOT));
        line.put("files_total", now.filesTotal());
        line.put("files_done", now.filesDone());
        line.put("bytes_total", now.bytesTotal());
        line.put("bytes_done", now.bytesDone());
        line.put("bytes_transferred", now.bytesTransferred());
        line.put("bytes_reused", now.bytesReused());
        print(line);
    }

    /**
     * Reports the end of a transfer.
     *
     * @return the exit code
     */
    int ended(String verb, TransferSummary summary) {
        double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
        if (form == Form.JSON) {
            Map<String, Object> line = event("summary");
            put(summary, line);
            line.put("seconds", seconds);
            print(line);
        } else if (form == Form.TEXT) {
            println(out, verb + " " + text(summary) + " in " + FigureText.duration(seconds));
        }
        return summary.failed() == 0 ? ExitCode.OK : ExitCode.INCOMPLETE;
    }

    /** Reports the end of one of a server's transfers. */
    void served(String peer, TransferSummary summary) {
        if (form == Form.JSON) {
            Map<String, Object> line = event("served", "peer", peer);
            put(summary, line);
            print(line);
        } else if (form == Form.TEXT) {
            println(out, peer + ": " + text(summary));
        }
    }

    private static String text(TransferSummary summary) {
        String failed = summary.failed() == 0 ? "" : ", " + summary.failed() + " failed";
        return summary.files() + " files" + failed + ", " + FigureText.bytes((double) summary.bytes())
                + " over the wire";
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
        for (int i = 0; i < members.length; i += 2) {
            line.put(members[i].toString(), members[i + 1]);
        }
        return line;
    }

    private void print(Map<String, Object> line) {
        println(out, Json.of(json -> {
            json.writeStartObject();
            line.forEach((name, value) -> {
                if (value instanceof Number number) {
                    json.writeName(name);
                    Json.number(json, number.doubleValue());
                } else {
                    Json.text(json, name, value);
                }
            });
            json.writeEndObject();
        }));
    }

    private synchronized void println(PrintWriter to, String line) {
        to.println(line);
        to.flush();
    }
}
