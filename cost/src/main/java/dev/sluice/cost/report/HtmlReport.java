package dev.sluice.cost.report;

import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.Estimate;
import dev.sluice.cost.figures.Figure;
import dev.sluice.cost.figures.Numbers;
import dev.sluice.cost.measure.KeyKind;
import dev.sluice.cost.measure.MeasuredHandshake;
import dev.sluice.tls.context.ProtocolVersion;
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
    private final HtmlPage page = new HtmlPage("What TLS costs here");

    private HtmlReport(CostProfile profile) {
        this.profile = profile;
    }

    /** Returns the page. */
    public static String of(CostProfile profile) {
        HtmlReport report = new HtmlReport(profile);
        report.page.facts(profile.facts());
        report.page.element(
                "p",
                "CPU time of one thread, medians of interleaved rounds; ± is half of the 95 % interval by order "
                        + "statistics.");
        report.phases();
        report.resumption();
        report.recordsAndConnections();
        report.handshakes();
        report.figures();
        return report.page.html();
    }

    private void phases() {
        page.section("The six phases", "Three cost CPU time, three cost memory.");
        page.cards(() -> {
            card("1  The asymmetric step: one signature, or one key exchange", asymmetric());
            card("2  Keys derived, chains of two certificates verified", derivation());
            card("3  Records of 16 KiB sealed", ciphers());
            card("4  A handshake in flight,  5  a connection", held());
            card("6  Resumption: sizes", bytes("resumption/"));
            card("6  Resumption: the server's CPU, ECDSA P-256", resumed());
        });
    }

    private void card(String title, Bars bars) {
        page.card(title, () -> page.bars(bars));
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
        bar(bars, "handshake in flight, libssl", "memory/handshake/native");
        bar(bars, "handshake in flight, lean", "memory/lean-handshake/native");
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
        page.section(
                "CPU per handshake against the share that resumes",
                "The server's CPU time, one curve for each kind of certificate. With TLS 1.3 the key exchange stays "
                        + "when a session is resumed; with TLS 1.2 nothing asymmetric does.");
        page.cards(() -> {
            for (ProtocolVersion version : ProtocolVersion.values()) {
                resumption(version);
            }
        });
    }

    private void resumption(ProtocolVersion version) {
        String name = version == ProtocolVersion.TLS_1_2 ? "TLS 1.2" : "TLS 1.3";
        Chart chart = new Chart(
                name + ": CPU per handshake against resumption",
                new Chart.Axis("share that resumes", false, List.of(0.0, 0.25, 0.5, 0.75, 1.0), Numbers::percent),
                new Chart.Axis("µs at the server, logarithmic", true, List.of(), Chart::plain));
        for (KeyKind key : KeyKind.values()) {
            chart.line(key.text(), curve(version, key));
        }
        card(name, chart);
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
        page.section(
                "Records and connections",
                "Records of TLS 1.3 sealed in place by our record layer. Connections at rest: what a server holds "
                        + "of the C library's heap and of Java's together.");
        page.cards(() -> {
            throughput();
            memory();
        });
    }

    private void card(String title, Chart chart) {
        page.card(title, () -> page.chart(chart));
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
        card("Throughput of one core by record size", chart);
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
        card("Memory by number of connections", chart);
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
        page.section(
                "Whole handshakes",
                "In memory, without a network: CPU time at each end, and how long both take one after the other.");
        List<List<String>> rows = new ArrayList<>();
        for (Figure figure : profile.under("handshake/")) {
            if (figure.name().endsWith("/server")) {
                rows.add(handshake(figure.name().substring(0, figure.name().lastIndexOf('/') + 1)));
            }
        }
        page.table(List.of("kind", "server µs", "client µs", "p50 µs", "p90 µs", "p99 µs"), rows);
    }

    private List<String> handshake(String path) {
        List<String> cells = new ArrayList<>();
        cells.add(path.substring("handshake/".length(), path.length() - 1).replace('/', ' '));
        for (String name : List.of("server", "client", "latency-p50", "latency-p90", "latency-p99")) {
            cells.add(Numbers.of(profile.median(path + name)));
        }
        return cells;
    }

    private void figures() {
        page.details(
                "All figures",
                () -> page.table(
                        List.of("name", "median", "low", "high", "unit", "rounds"),
                        profile.figures().stream().map(HtmlReport::cells).toList()));
    }

    private static List<String> cells(Figure figure) {
        Estimate estimate = figure.estimate();
        return List.of(
                figure.name(),
                Numbers.of(estimate.median()),
                Numbers.of(estimate.low()),
                Numbers.of(estimate.high()),
                figure.unit().text(),
                Integer.toString(estimate.rounds()));
    }
}
