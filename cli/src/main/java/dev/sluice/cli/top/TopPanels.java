package dev.sluice.cli.top;

import dev.sluice.cli.command.FigureText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The dashboard as lines of text. Does no I/O. */
final class TopPanels {
    private static final String INDENT = "    ";
    private static final String BOLD = "\u001b[1m";
    private static final String DIM = "\u001b[2m";
    private static final String RED = "\u001b[1;31m";
    private static final String YELLOW = "\u001b[33m";
    private static final String PLAIN = "\u001b[0m";
    private static final int SPARK_MIN = 10;
    private static final int SPARK_MAX = 60;
    private static final int ROWS_MAX = 6;

    private final JsonView snapshot;
    private final String place;
    private final int width;
    private final boolean ansi;
    private final Sparkline sparkline;
    private final List<String> lines = new ArrayList<>();

    /**
     * Creates an instance.
     *
     * @param snapshot of the endpoint
     * @param place of the endpoint
     * @param width columns
     * @param ansi true for bold and coloured text
     */
    TopPanels(JsonView snapshot, String place, int width, boolean ansi, Sparkline sparkline) {
        this.snapshot = snapshot;
        this.place = place;
        this.width = width;
        this.ansi = ansi;
        this.sparkline = sparkline;
    }

    /** Returns all lines, none wider than the width. */
    List<String> lines() {
        head();
        alerts();
        figures();
        mix();
        backends();
        certificates();
        counted("Failed handshakes", "failures");
        counted("Why handshakes were full", "misses");
        tickets();
        loops();
        memory();
        return lines;
    }

    private void head() {
        double now = snapshot.at("time").number() / 1000;
        double start = figure("process_start_time_seconds");
        JsonView info = snapshot.at("info");
        List<String> facts = new ArrayList<>(List.of(
                "Sluice " + info.at("sluice_build_info").at("version").text(),
                place,
                snapshot.at("state").text(),
                "up " + FigureText.duration(now - start),
                info.at("sluice_transport_info").at("transport").text(),
                info.at("sluice_openssl_info").at("version").text()));
        facts.removeIf(String::isBlank);
        add(BOLD, String.join(" · ", facts));
    }

    private void alerts() {
        List<JsonView> alerts = snapshot.at("alerts").items();
        for (JsonView alert : alerts) {
            String state = alert.at("state").text();
            if (state.equals("firing")) {
                blank();
                add(
                        RED,
                        "! " + alert.at("message").text() + " ("
                                + alert.at("name").text() + ")");
                int number = 1;
                for (JsonView advice : alert.at("advice").items()) {
                    add("", "  " + number++ + ". " + advice.text());
                }
            } else if (state.equals("pending")) {
                blank();
                add(
                        YELLOW,
                        "? " + alert.at("message").text() + " ("
                                + alert.at("name").text() + ", pending)");
            }
        }
    }

    private void figures() {
        blank();
        graph(
                "Full handshakes",
                "full",
                FigureText.count(series("full")) + " /s",
                0,
                FigureText.count(series("resumed")) + " resumed, " + FigureText.count(series("failed")) + " failed /s");
        graph("Resumption", "resumption", FigureText.percent(series("resumption")), 1, "");
        graph(
                "Cryptography",
                "crypto",
                FigureText.percent(series("crypto")),
                0,
                cores("crypto_cpu") + " of " + cores("cpu") + " cores");
        graph(
                "Connections",
                "connections",
                FigureText.count(series("connections")),
                0,
                "of at most " + FigureText.count(figure("sluice_admission_connections_max")));
        graph("To clients", "sent", FigureText.bytes(series("sent")) + "/s", 0, "");
        graph("To backends", "received", FigureText.bytes(series("received")) + "/s", 0, "");
    }

    private String cores(String name) {
        return FigureText.count(series(name));
    }

    private void graph(String title, String name, String value, double top, String detail) {
        int room = Math.clamp(width - 18 - 14 - 32, SPARK_MIN, SPARK_MAX);
        List<Double> points = snapshot.at("history").at("fine").at(name).items().stream()
                .map(JsonView::number)
                .toList();
        add("", padded(title, 18) + leftPadded(value, 12) + "  " + sparkline.of(points, room, top) + "  " + detail);
    }

    private void mix() {
        blank();
        shares("Versions", "versions");
        shares("Ciphers", "ciphers");
        shares("Key exchange", "groups");
    }

    /** Adds the shares of the last minute; of the whole time if it has none. */
    private void shares(String title, String panel) {
        List<JsonView> rows = snapshot.at("counts").at(panel).items();
        String key = rows.stream().anyMatch(row -> row.at("recent").number() > 0) ? "recent" : "total";
        double sum = rows.stream().mapToDouble(row -> row.at(key).number()).sum();
        String text = rows.stream()
                .filter(row -> row.at(key).number() > 0)
                .sorted(Comparator.comparingDouble(
                        (JsonView row) -> -row.at(key).number()))
                .map(row -> row.at("name").text() + " "
                        + FigureText.percent(row.at(key).number() / sum))
                .collect(Collectors.joining(", "));
        add("", padded(title, 18) + (text.isEmpty() ? "no handshake yet" : text));
    }

    private void backends() {
        title("Backends", "state", "connects", "failed", "ejected");
        rows("backends", row -> {
            JsonView figures = row.at("figures");
            String state = state(figures);
            row(
                    state.equals("down") ? RED : "",
                    row.at("labels").at("backend").text() + " "
                            + row.at("labels").at("server").text(),
                    state,
                    FigureText.count(figures.at("connects_total").number()),
                    FigureText.count(figures.at("connect_failures_total").number()),
                    FigureText.count(figures.at("ejections_total").number()));
        });
    }

    private static String state(JsonView figures) {
        for (String mode : List.of("draining", "disabled")) {
            if (figures.at("mode." + mode).number() > 0) {
                return mode;
            }
        }
        return figures.at("up").number() > 0 ? "up" : "down";
    }

    private void certificates() {
        double now = snapshot.at("time").number() / 1000;
        title("Certificates", "key", "valid for", "OCSP for");
        rows("certificates", row -> {
            double left = row.at("figures")
                            .at("certificate_not_after_timestamp_seconds")
                            .number()
                    - now;
            double staple =
                    row.at("figures").at("ocsp_next_update_timestamp_seconds").number() - now;
            row(
                    left < 7 * 86_400 ? RED : "",
                    row.at("labels").at("name").text(),
                    row.at("labels").at("key_type").text(),
                    FigureText.duration(left),
                    FigureText.duration(staple));
        });
    }

    private void counted(String title, String panel) {
        List<JsonView> rows = snapshot.at("counts").at(panel).items().stream()
                .filter(row -> row.at("total").number() > 0)
                .sorted(Comparator.comparingDouble(
                        (JsonView row) -> -row.at("recent").number()))
                .limit(ROWS_MAX)
                .toList();
        if (rows.isEmpty()) {
            return;
        }
        title(title, "last minute", "in all");
        for (JsonView row : rows) {
            String detail = row.at("detail").text();
            row(
                    "",
                    FigureText.words(row.at("name").text()) + (detail.isEmpty() ? "" : " (" + detail + ")"),
                    FigureText.count(row.at("recent").number()),
                    FigureText.count(row.at("total").number()));
        }
    }

    private void tickets() {
        String keys = snapshot.at("tables").at("keys").items().stream()
                .filter(row -> row.at("figures").at("keys").number() > 0)
                .map(row -> FigureText.count(row.at("figures").at("keys").number()) + " "
                        + FigureText.words(row.at("labels").at("state").text()))
                .collect(Collectors.joining(", "));
        double age = figure("sluice_tls_ticket_key_age_seconds");
        blank();
        add(
                "",
                padded("Ticket keys", 18)
                        + (keys.isEmpty() ? "none: clients cannot resume" : keys)
                        + (Double.isNaN(age) ? "" : "; the one that seals for " + FigureText.duration(age)));
    }

    private void loops() {
        title("Event loops", "busy", "connections", "events/turn", "calls/event");
        rows("loops", row -> {
            JsonView figures = row.at("figures");
            row(
                    "",
                    row.at("labels").at("loop").text(),
                    FigureText.percent(figures.at("busy_ratio").number()),
                    FigureText.count(figures.at("connections").number()),
                    ratio(figures, "events_total", "turns_total"),
                    ratio(figures, "system_calls_total", "events_total"));
        });
    }

    private static String ratio(JsonView figures, String what, String per) {
        return FigureText.count(figures.at(what).number() / figures.at(per).number());
    }

    private void memory() {
        String owners = snapshot.at("tables").at("memory").items().stream()
                .filter(row -> row.at("figures").at("bytes").number() > 0)
                .sorted(Comparator.comparingDouble(
                        (JsonView row) -> -row.at("figures").at("bytes").number()))
                .limit(ROWS_MAX)
                .map(row -> row.at("labels").at("owner").text() + " "
                        + FigureText.bytes(row.at("figures").at("bytes").number()))
                .collect(Collectors.joining(", "));
        blank();
        add(
                "",
                padded("Memory", 18) + FigureText.bytes(figure("process_resident_memory_bytes")) + " resident, "
                        + FigureText.bytes(series("memory")) + " native: " + owners);
    }

    private double series(String name) {
        return snapshot.at("series").at(name).number();
    }

    private double figure(String name) {
        return snapshot.at("figures").at(name).number();
    }

    private void rows(String table, Consumer<JsonView> each) {
        List<JsonView> rows = snapshot.at("tables").at(table).items();
        rows.stream().limit(ROWS_MAX).forEach(each);
        if (rows.isEmpty()) {
            add(DIM, "none");
        } else if (rows.size() > ROWS_MAX) {
            add(DIM, "and " + (rows.size() - ROWS_MAX) + " more");
        }
    }

    private void title(String title, String... columns) {
        blank();
        row(DIM, title, columns);
    }

    private void row(String style, String first, String... columns) {
        StringBuilder line = new StringBuilder(padded(first, Math.max(20, Math.min(44, width - 13 * columns.length))));
        for (String column : columns) {
            line.append(leftPadded(column, 13));
        }
        add(style, line.toString());
    }

    private void blank() {
        lines.add("");
    }

    /** Adds a text, in lines no wider than the terminal. */
    private void add(String style, String text) {
        String rest = text.stripTrailing();
        while (rest.length() > width) {
            int space = rest.lastIndexOf(' ', width);
            int end = space > INDENT.length() ? space : width;
            line(style, rest.substring(0, end).stripTrailing());
            rest = INDENT + rest.substring(end).strip();
        }
        line(style, rest);
    }

    private void line(String style, String text) {
        lines.add(ansi && !style.isEmpty() ? style + text + PLAIN : text);
    }

    private static String padded(String text, int columns) {
        return text.length() >= columns
                ? text.substring(0, columns - 2) + "~ "
                : text + " ".repeat(columns - text.length());
    }

    private static String leftPadded(String text, int columns) {
        return " ".repeat(Math.max(1, columns - text.length())) + text;
    }
}
