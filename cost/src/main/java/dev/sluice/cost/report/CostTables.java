package dev.sluice.cost.report;

import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.Estimate;
import dev.sluice.cost.figures.Figure;
import dev.sluice.cost.figures.Numbers;
import dev.sluice.cost.figures.TextTable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A measurement as tables for a terminal: one for each of the six phases and one for whole handshakes. */
public final class CostTables {
    private final CostProfile profile;
    private final StringBuilder out = new StringBuilder();

    private CostTables(CostProfile profile) {
        this.profile = profile;
    }

    /** Returns the text. */
    public static String of(CostProfile profile) {
        CostTables tables = new CostTables(profile);
        tables.facts();
        tables.asymmetric();
        tables.derivation();
        tables.records();
        tables.memory();
        tables.resumption();
        tables.handshakes();
        return tables.out.toString();
    }

    private void facts() {
        for (Map.Entry<String, String> fact : profile.facts().entrySet()) {
            out.append(String.format("  %-13s %s%n", fact.getKey(), fact.getValue()));
        }
        out.append("  CPU time; medians of rounds, ± half of the 95 % interval (order statistics)\n");
    }

    private void heading(String text) {
        out.append('\n').append(text).append("\n\n");
    }

    private void asymmetric() {
        heading("1  The asymmetric step, µs for one operation");
        TextTable signatures = new TextTable("", "sign", "", "verify", "");
        TextTable exchange = new TextTable("", "make a key", "", "derive or encapsulate", "", "decapsulate", "");
        for (String name : names("asymmetric/")) {
            String path = "asymmetric/" + name + "/";
            if (profile.has(path + "sign")) {
                signatures.row(cells(name, path + "sign", path + "verify"));
            } else {
                String shared = profile.has(path + "derive") ? "derive" : "encapsulate";
                exchange.row(cells(name, path + "keygen", path + shared, path + "decapsulate"));
            }
        }
        out.append(signatures.text()).append('\n').append(exchange.text());
        if (!profile.has("asymmetric/x25519mlkem768/keygen")) {
            out.append("  (no X25519MLKEM768: this OpenSSL lacks it; 3.5 or later has it)\n");
        }
    }

    private void derivation() {
        heading("2  Keys derived (all of TLS 1.3's schedule at one end), and chains verified, µs");
        TextTable schedule = new TextTable("", "µs", "");
        profile.under("derivation/").forEach(figure -> schedule.row(cells(last(figure), figure.name())));
        TextTable chains = new TextTable("certificates sent", "1", "", "2", "", "3", "", "4", "");
        for (String name : names("chain/")) {
            String path = "chain/" + name + "/";
            chains.row(cells(name, path + 1, path + 2, path + 3, path + 4));
        }
        out.append(schedule.text()).append('\n').append(chains.text());
    }

    private void records() {
        heading("3  Records: the cipher alone, and a TLS 1.3 record sealed and opened in place");
        TextTable table = new TextTable(
                "", "bytes", "cipher ns", "", "seal ns", "", "open ns", "", "ns/byte sealed", "GB/s sealed");
        for (String cipher : names("aead/")) {
            for (String size : names("aead/" + cipher + "/")) {
                String path = "aead/" + cipher + "/" + size + "/";
                double perByte = profile.median(path + "seal") / Integer.parseInt(size);
                String[] cells = cells(cipher, path + "evp", path + "seal", path + "open");
                table.row(
                        cells[0],
                        size,
                        cells[1],
                        cells[2],
                        cells[3],
                        cells[4],
                        cells[5],
                        cells[6],
                        Numbers.of(perByte),
                        Numbers.of(1 / perByte));
            }
        }
        out.append(table.text());
    }

    private void memory() {
        heading("4  A handshake in flight, and  5  an established connection: memory at the server");
        TextTable table = new TextTable("", "native", "", "Java", "");
        table.row(bytes("handshake in flight, libssl", "memory/handshake"));
        table.row(bytes("handshake in flight, lean", "memory/lean-handshake"));
        for (String engine : names("memory/connection/")) {
            table.row(bytes("connection, " + engine + " engine", "memory/connection/" + engine));
        }
        out.append(table.text());
    }

    private String[] bytes(String name, String path) {
        String[] cells = {name, "–", "", "–", ""};
        fill(cells, 1, path + "/native");
        fill(cells, 3, path + "/java");
        return cells;
    }

    private void resumption() {
        heading("6  Resumption");
        TextTable table = new TextTable("", "bytes", "");
        profile.under("resumption/")
                .forEach(figure -> table.row(
                        cells(figure.name().substring("resumption/".length()).replace('/', ' '), figure.name())));
        out.append(table.text());
    }

    private void handshakes() {
        heading("Whole handshakes in memory: CPU µs at each end, and µs that both take one after the other");
        TextTable table = new TextTable("", "server", "", "client", "", "p50", "p90", "p99");
        for (Figure figure : profile.under("handshake/")) {
            if (last(figure).equals("server")) {
                String path = figure.name().substring(0, figure.name().lastIndexOf('/') + 1);
                String[] cpu = cells(
                        path.substring("handshake/".length(), path.length() - 1).replace('/', ' '),
                        path + "server",
                        path + "client");
                table.row(
                        cpu[0],
                        cpu[1],
                        cpu[2],
                        cpu[3],
                        cpu[4],
                        Numbers.of(profile.median(path + "latency-p50")),
                        Numbers.of(profile.median(path + "latency-p90")),
                        Numbers.of(profile.median(path + "latency-p99")));
            }
        }
        out.append(table.text());
    }

    /** Returns the distinct next parts of all names with a prefix. */
    private List<String> names(String prefix) {
        Set<String> names = new LinkedHashSet<>();
        for (Figure figure : profile.under(prefix)) {
            names.add(figure.name().substring(prefix.length()).split("/", -1)[0]);
        }
        return List.copyOf(names);
    }

    private static String last(Figure figure) {
        return figure.name().substring(figure.name().lastIndexOf('/') + 1);
    }

    /** Returns a title, and two cells for each figure: its median and its error. */
    private String[] cells(String title, String... paths) {
        String[] cells = new String[1 + 2 * paths.length];
        cells[0] = title;
        for (int i = 0; i < paths.length; i++) {
            cells[1 + 2 * i] = "–";
            cells[2 + 2 * i] = "";
            fill(cells, 1 + 2 * i, paths[i]);
        }
        return cells;
    }

    private void fill(String[] cells, int at, String path) {
        for (Figure figure : profile.under(path)) {
            if (figure.name().equals(path)) {
                Estimate estimate = figure.estimate();
                boolean bytes = figure.unit() == Figure.Unit.BYTES;
                cells[at] = bytes && estimate.median() >= 10_000
                        ? Numbers.bytes(estimate.median())
                        : Numbers.of(estimate.median());
                cells[at + 1] = Numbers.error(estimate);
            }
        }
    }
}
