package dev.sluice.cost.measure;

import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.figures.Estimate;
import dev.sluice.cost.figures.Numbers;
import dev.sluice.cost.figures.TextTable;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.tls.record.CipherSuite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A comparison of signatures, key exchange and ciphers with the program {@code openssl speed}, in alternation and on
 * the same library. A row passes when the two are within {@value #TOLERANCE_PERCENT} percent of each other.
 */
public final class SpeedComparison {
    private static final int TOLERANCE_PERCENT = 15;
    private static final long OURS_NANOS = 400_000_000;
    private static final int PATIENCE_SECONDS = 60;
    private static final double MICROS_PER_SECOND = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private final int rounds;
    private final CpuClock clock = new CpuClock();
    private final Map<String, List<Double>> ours = new LinkedHashMap<>();
    private final Map<String, List<Double>> theirs = new LinkedHashMap<>();

    /**
     * Prepares a comparison.
     *
     * @param quick one round instead of three
     */
    public SpeedComparison(boolean quick) {
        this.rounds = quick ? 1 : 3;
    }

    /** One run of {@code openssl speed}: its arguments, the result line, and the figures by position in it. */
    private record Speed(List<String> arguments, String line, double scale, Map<String, Integer> fields) {}

    /**
     * Runs the comparison.
     *
     * @return a table as Markdown, and a summary sentence
     * @throws CostException when the program openssl is missing
     */
    public String run() throws InterruptedException {
        Map<String, Probe> probes = new LinkedHashMap<>();
        AsymmetricProbes.all(clock)
                .forEach(probe -> probes.put(probe.names().getFirst().path(), probe));
        AeadProbes.all(clock)
                .forEach(probe -> probes.put(probe.names().getFirst().path(), probe));
        try {
            for (int round = 0; round < rounds; round++) {
                for (Speed speed : speeds()) {
                    compare(speed, probes);
                }
            }
        } finally {
            probes.values().forEach(Probe::close);
        }
        return table();
    }

    private static List<Speed> speeds() {
        List<Speed> all = new ArrayList<>();
        for (int bits : List.of(2048, 3072, 4096)) {
            all.add(signature("rsa" + bits, "+F2:", 3, "rsa-" + bits));
        }
        all.add(signature("ecdsap256", "+F4:", 3, "ecdsa-p256"));
        all.add(signature("ecdsap384", "+F4:", 3, "ecdsa-p384"));
        all.add(signature("ed25519", "+F6:", 4, "ed25519"));
        all.add(exchange("ecdhx25519", "x25519"));
        all.add(exchange("ecdhp256", "p256"));
        for (CipherSuite suite : AeadProbes.SUITES) {
            for (int size : AeadProbes.SIZES) {
                all.add(cipher(AeadProbes.path(suite), size));
            }
        }
        return all;
    }

    private static Speed signature(String name, String line, int field, String path) {
        return new Speed(
                List.of(name),
                line,
                MICROS_PER_SECOND,
                Map.of("asymmetric/" + path + "/sign", field, "asymmetric/" + path + "/verify", field + 1));
    }

    private static Speed exchange(String name, String path) {
        return new Speed(List.of(name), "+F5:", MICROS_PER_SECOND, Map.of("asymmetric/" + path + "/derive", 3));
    }

    /** Returns the run for a cipher, which reports bytes per second. */
    private static Speed cipher(String name, int size) {
        return new Speed(
                List.of("-evp", name, "-bytes", Integer.toString(size)),
                "+F:",
                NANOS_PER_SECOND * size,
                Map.of("aead/" + name + "/" + size + "/evp", 3));
    }

    private void compare(Speed speed, Map<String, Probe> probes) throws InterruptedException {
        for (String path : speed.fields().keySet()) {
            Probe probe = probes.get(path);
            if (probe != null) {
                probe.round(OURS_NANOS / 4);
                add(ours, path, probe.round(OURS_NANOS)[0]);
            }
        }
        String said = ask(speed.arguments());
        String line = said.lines()
                .filter(each -> each.startsWith(speed.line()))
                .findFirst()
                .orElseThrow(() -> new CostException("openssl speed " + speed.arguments() + " did not report "
                        + speed.line() + ": " + said.strip()));
        String[] fields = line.split(":", -1);
        speed.fields().forEach((path, field) -> add(theirs, path, speed.scale() / Double.parseDouble(fields[field])));
    }

    private static void add(Map<String, List<Double>> to, String path, double value) {
        to.computeIfAbsent(path, _ -> new ArrayList<>()).add(value);
    }

    private static String ask(List<String> arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl", "speed", "-mr", "-seconds", "1"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        Path library = Path.of(OpenSsl.require().libraryFile()).toAbsolutePath().getParent();
        if (library != null) {
            builder.environment().put("LD_LIBRARY_PATH", library.toString());
        }
        try {
            Process process = builder.start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new CostException(command + " failed, exit code and output: " + said.strip());
            }
            return said;
        } catch (IOException e) {
            throw new CostException(
                    "openssl speed cannot be run, cause: " + e + "; install openssl (apt-get install openssl)", e);
        }
    }

    private String table() {
        TextTable table = new TextTable("", "here", "openssl speed", "here / speed", "within 15 %");
        int within = 0;
        for (Map.Entry<String, List<Double>> each : theirs.entrySet()) {
            double here = median(ours.getOrDefault(each.getKey(), List.of(Double.NaN)));
            double there = median(each.getValue());
            double ratio = here / there;
            boolean holds = Math.abs(ratio - 1) <= TOLERANCE_PERCENT / 100.0;
            within += holds ? 1 : 0;
            table.row(each.getKey(), Numbers.of(here), Numbers.of(there), Numbers.of(ratio), holds ? "yes" : "no");
        }
        return "Microseconds for one public-key operation, nanoseconds for one record; "
                + OpenSsl.require().version()
                + ", rounds: " + rounds + "\n\n" + table.markdown() + "\n" + within + " of " + theirs.size()
                + " within " + TOLERANCE_PERCENT + " %.\n";
    }

    private static double median(List<Double> values) {
        return Estimate.of(values.stream().mapToDouble(Double::doubleValue).toArray())
                .median();
    }
}
