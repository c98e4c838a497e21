package dev.sluice.cost.report;

import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.Estimate;
import dev.sluice.cost.figures.Figure;
import dev.sluice.cost.figures.Numbers;
import dev.sluice.cost.measure.KeyKind;
import dev.sluice.cost.measure.MeasuredHandshake;
import dev.sluice.tls.context.ProtocolVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A measurement as one self-contained page with plots: styles and drawings are inline. */
public final class HtmlReport {
    private static final List<String> ENGINES = List.of("memory", "direct");
    private static final Map<String, String> ENGINE_NAMES =
            Map.of("memory", "libssl (memory engine)", "direct", "our record layer (direct engine)");
    private static final int LARGEST = 16_384;

    private final CostProfile profile;
    private final StringBuilder out = new StringBuilder();

    private HtmlReport(CostProfile profile) {
        this.profile = profile;
    }

    /** Returns the page. */
    public static String of(CostProfile profile) {
        HtmlReport report = new HtmlReport(profile);
        report.begin();
        report.phases();
        report.resumption();
        report.recordsAndConnections();
        report.handshakes();
        report.figures();
        report.out.append("</main>\n</body>\n</html>\n");
        return report.out.toString();
    }

    private void begin() {
        out.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
                .append("<title>What TLS costs here</title>\n<style>\n")
                .append(style())
                .append("</style>\n</head>\n<body>\n<main>\n<h1>What TLS costs here</h1>\n<dl class=\"facts\">\n");
        profile.facts()
                .forEach((name, value) -> out.append("<dt>")
                        .append(Html.escape(name))
                        .append("</dt><dd>")
                        .append(Html.escape(value))
                        .append("</dd>\n"));
        out.append("</dl>\n<p>CPU time of one thread, medians of interleaved rounds; ± is half of the 95 % interval by "
                + "order statistics.</p>\n");
    }

    private static String style() {
        try (InputStream file = HtmlReport.class.getResourceAsStream("report.css")) {
            if (file == null) {
                throw new CostException("report.css is not in the module; build it again");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CostException("report.css cannot be read; build the module again", e);
        }
    }

    private void section(String title, String text) {
        out.append("<h2>")
                .append(Html.escape(title))
                .append("</h2>\n<p>")
                .append(Html.escape(text))
                .append("</p>\n");
    }

    private void phases() {
        section("The six phases", "Three cost CPU time, three cost memory.");
        out.append("<div class=\"grid2\">\n");
        card("1  The asymmetric step: one signature, or one key exchange", asymmetric());
        card("2  Keys derived, chains of two certificates verified", derivation());
        card("3  Records of 16 KiB sealed", ciphers());
        card("4  A handshake in flight,  5  a connection", held());
        card("6  Resumption: sizes", bytes("resumption/"));
        card("6  Resumption: the server's CPU, ECDSA P-256", resumed());
        out.append("</div>\n");
    }

    private void card(String title, Bars bars) {
        out.append("<section><h3>")
                .append(Html.escape(title))
                .append("</h3>\n")
                .append(bars.html())
                .append("</section>\n");
    }

    private Bars asymmetric() {
        Bars bars = new Bars();
        for (KeyKind kind : KeyKind.values()) {
            bar(bars, kind.text() + " sign", "asymmetric/" + kind.path() + "/sign");
        }
        bar(bars, "X25519 derive", "asymmetric/x25519/derive");
        bar(bars, "P-256 derive", "asymmetric/p256/derive");
        bar(bars, "X25519MLKEM768 encapsulate", "asymmetric/x25519mlkem768/encapsulate");
        return bars;
    }

    private Bars derivation() {
        Bars bars = new Bars();
        bar(bars, "TLS 1.3 keys, SHA-256", "derivation/tls13-sha256");
        bar(bars, "TLS 1.3 keys, SHA-384", "derivation/tls13-sha384");
        bar(bars, "chain, RSA-2048", "chain/rsa-2048/2");
        bar(bars, "chain, ECDSA P-256", "chain/ecdsa-p256/2");
        return bars;
    }

    private Bars ciphers() {
        Bars bars = new Bars();
        for (String cipher : List.of("aes-128-gcm", "aes-256-gcm", "chacha20-poly1305")) {
            bar(bars, cipher, "aead/" + cipher + "/" + LARGEST + "/seal");
        }
        return bars;
    }

    private Bars held() {
        Bars bars = new Bars();
        bar(bars, "handshake in flight", "memory/handshake/native");
        for (String engine : ENGINES) {
            bar(bars, "connection, " + engine, "memory/connection/" + engine + "/native");
        }
        return bars;
    }

    private Bars bytes(String prefix) {
        Bars bars = new Bars();
        profile.under(prefix)
                .forEach(figure ->
                        bar(bars, figure.name().substring(prefix.length()).replace('/', ' '), figure.name()));
        return bars;
    }

    private Bars resumed() {
        Bars bars = new Bars();
        for (ProtocolVersion version : ProtocolVersion.values()) {
            String name = version == ProtocolVersion.TLS_1_2 ? "TLS 1.2" : "TLS 1.3";
            for (boolean resumed : List.of(false, true)) {
                MeasuredHandshake kind = MeasuredHandshake.usual(version, KeyKind.ECDSA_P256, resumed);
                bar(bars, name + (resumed ? " resumed" : " full"), kind.path() + "/server");
            }
        }
        return bars;
    }

    private void bar(Bars bars, String title, String name) {
        for (Figure figure : profile.under(name)) {
            if (figure.name().equals(name)) {
                Estimate estimate = figure.estimate();
                bars.bar(title, estimate.median(), value(figure) + " " + Numbers.error(estimate));
            }
        }
    }

    private static String value(Figure figure) {
        double median = figure.estimate().median();
        return figure.unit() == Figure.Unit.BYTES
                ? Numbers.bytes(median)
                : Numbers.of(median) + " " + figure.unit().text();
    }

    private void resumption() {
        section(
                "CPU per handshake against the share that resumes",
                "The server's CPU time, one curve for each kind of certificate. With TLS 1.3 the key exchange stays "
                        + "when a session is resumed; with TLS 1.2 nothing asymmetric does.");
        out.append("<div class=\"grid2\">\n");
        for (ProtocolVersion version : ProtocolVersion.values()) {
            String name = version == ProtocolVersion.TLS_1_2 ? "TLS 1.2" : "TLS 1.3";
            Chart chart = new Chart(
                    name + ": CPU per handshake against resumption",
                    new Chart.Axis("share that resumes", false, List.of(0.0, 0.25, 0.5, 0.75, 1.0), Numbers::percent),
                    new Chart.Axis("µs at the server, logarithmic", true, List.of(), Chart::plain));
            for (KeyKind key : KeyKind.values()) {
                chart.line(key.text(), curve(version, key));
            }
            out.append("<section><h3>")
                    .append(name)
                    .append("</h3>\n")
                    .append(chart.html())
                    .append("</section>\n");
        }
        out.append("</div>\n");
    }

    private List<double[]> curve(ProtocolVersion version, KeyKind key) {
        String full = MeasuredHandshake.usual(version, key, false).path() + "/server";
        String resumed = MeasuredHandshake.usual(version, key, true).path() + "/server";
        List<double[]> points = new ArrayList<>();
        if (profile.has(full) && profile.has(resumed)) {
            for (int percent = 0; percent <= 100; percent += 4) {
                double share = percent / 100.0;
                points.add(new double[] {share, (1 - share) * profile.median(full) + share * profile.median(resumed)});
            }
        }
        return points;
    }

    private void recordsAndConnections() {
        section(
                "Records and connections",
                "Records of TLS 1.3 sealed in place by our record layer. Connections at rest: what a server holds "
                        + "of the C library's heap and of Java's together.");
        out.append("<div class=\"grid2\">\n");
        throughput();
        memory();
        out.append("</div>\n");
    }

    private void chartCard(String title, Chart chart) {
        out.append("<section><h3>")
                .append(Html.escape(title))
                .append("</h3>\n")
                .append(chart.html())
                .append("</section>\n");
    }

    private void throughput() {
        Chart chart = new Chart(
                "throughput by record size",
                new Chart.Axis(
                        "payload of a record, bytes",
                        true,
                        List.of(64.0, 256.0, 1024.0, 4096.0, 16_384.0),
                        Chart::plain),
                new Chart.Axis("GB/s", false, List.of(), Chart::plain));
        for (String cipher : List.of("aes-128-gcm", "aes-256-gcm", "chacha20-poly1305")) {
            TreeMap<Integer, Double> points = new TreeMap<>();
            String prefix = "aead/" + cipher + "/";
            for (Figure figure : profile.under(prefix)) {
                if (figure.name().endsWith("/seal")) {
                    int size = Integer.parseInt(figure.name().split("/", -1)[2]);
                    points.put(size, size / figure.estimate().median());
                }
            }
            chart.line(cipher, points(points));
        }
        chartCard("Throughput of one core by record size", chart);
    }

    private void memory() {
        List<Double> ticks = new ArrayList<>(List.of(0.0));
        for (Figure figure : profile.under("memory/total/memory/")) {
            ticks.add((double) count(figure));
        }
        Chart chart = new Chart(
                "memory by number of connections",
                new Chart.Axis("connections", false, ticks.size() < 2 ? List.of(0.0, 1.0) : ticks, Chart::plain),
                new Chart.Axis("MiB", false, List.of(), Chart::plain));
        for (String engine : ENGINES) {
            TreeMap<Integer, Double> points = new TreeMap<>(Map.of(0, 0.0));
            for (Figure figure : profile.under("memory/total/" + engine + "/")) {
                points.put(count(figure), figure.estimate().median() / (1 << 20));
            }
            if (points.size() > 1) {
                chart.line(ENGINE_NAMES.getOrDefault(engine, engine), points(points));
            }
        }
        chartCard("Memory by number of connections", chart);
    }

    private static int count(Figure figure) {
        return Integer.parseInt(figure.name().substring(figure.name().lastIndexOf('/') + 1));
    }

    private static List<double[]> points(Map<Integer, Double> values) {
        return values.entrySet().stream()
                .map(entry -> new double[] {entry.getKey(), entry.getValue()})
                .toList();
    }

    private void handshakes() {
        section(
                "Whole handshakes",
                "In memory, without a network: CPU time at each end, and how long both take one after the other.");
        out.append("<div class=\"wide\"><table>\n<thead><tr><th>kind</th><th>server µs</th><th>client µs</th>"
                + "<th>p50 µs</th><th>p90 µs</th><th>p99 µs</th></tr></thead>\n<tbody>\n");
        for (Figure figure : profile.under("handshake/")) {
            if (figure.name().endsWith("/server")) {
                String path = figure.name().substring(0, figure.name().lastIndexOf('/') + 1);
                out.append("<tr><th>")
                        .append(Html.escape(path.substring("handshake/".length(), path.length() - 1)
                                .replace('/', ' ')))
                        .append("</th>");
                for (String name : List.of("server", "client", "latency-p50", "latency-p90", "latency-p99")) {
                    out.append("<td>")
                            .append(Numbers.of(profile.median(path + name)))
                            .append("</td>");
                }
                out.append("</tr>\n");
            }
        }
        out.append("</tbody>\n</table></div>\n");
    }

    private void figures() {
        out.append("<details><summary>All figures</summary>\n<div class=\"wide\"><table>\n<thead><tr><th>name</th>"
                + "<th>median</th><th>low</th><th>high</th><th>unit</th><th>rounds</th></tr>"
                + "</thead>\n<tbody>\n");
        for (Figure figure : profile.figures()) {
            Estimate estimate = figure.estimate();
            out.append("<tr><th>").append(Html.escape(figure.name())).append("</th>");
            for (String cell : List.of(
                    Numbers.of(estimate.median()),
                    Numbers.of(estimate.low()),
                    Numbers.of(estimate.high()),
                    figure.unit().text(),
                    Integer.toString(estimate.rounds()))) {
                out.append("<td>").append(Html.escape(cell)).append("</td>");
            }
            out.append("</tr>\n");
        }
        out.append("</tbody>\n</table></div>\n</details>\n");
    }
}
