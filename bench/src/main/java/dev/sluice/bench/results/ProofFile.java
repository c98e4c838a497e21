package dev.sluice.bench.results;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.config.json.JsonReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of one suite of {@code tools/proofs/run}, read from a file.
 *
 * @param file its place
 * @param suite the suite
 * @param version the suite's version
 * @param run how it came about
 * @param environment what took part, with its version, by name
 * @param asks what is counted, such as "conversations"
 * @param rows counts of what was examined, and of the baseline
 * @param notAsked how often something was not asked, by the reason
 * @param accepted differences that stay, with the reason
 * @param findings what is wrong; empty if nothing is
 */
record ProofFile(
        Path file,
        ProofSuite suite,
        String version,
        Run run,
        Map<String, String> environment,
        String asks,
        List<Row> rows,
        Map<String, Long> notAsked,
        List<Accepted> accepted,
        List<String> findings) {
    private static final int SCHEMA = 1;

    /**
     * The run of a suite.
     *
     * @param command the command that repeats it
     * @param commit the commit of Sluice's sources
     * @param date its end
     * @param seconds its duration
     */
    record Run(String command, String commit, Instant date, long seconds) {}

    /**
     * Counts.
     *
     * @param subject what was examined
     * @param baseline true if it is there to be compared with
     * @param passed how many were answered as the suite wants it
     * @param failed how many were not
     * @param notAsked how many were left out
     * @param own how many of the failures the baseline does not have
     * @param accepted how many of these stay, with a reason
     * @param classes the test classes that were counted; empty for others' suites
     * @param material how much they try, such as "449 vectors"; may be empty
     */
    record Row(
            String subject,
            boolean baseline,
            long passed,
            long failed,
            long notAsked,
            long own,
            long accepted,
            List<String> classes,
            String material) {}

    /** A difference that stays, with the reason. */
    record Accepted(String what, String reason) {}

    /**
     * Reads a file.
     *
     * @throws BenchException when it is no result of a suite, or one of another schema
     */
    static ProofFile read(Path file) {
        try {
            return of(file, new Members(JsonReader.read(Files.readString(file))));
        } catch (IOException e) {
            throw new BenchException("cannot read " + file + ": " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new BenchException(file + " is no result of tools/proofs/run: " + e.getMessage(), e);
        }
    }

    private static ProofFile of(Path file, Members content) {
        if (content.number("schema") != SCHEMA) {
            throw new IllegalArgumentException(
                    "schema " + content.number("schema") + ", and " + SCHEMA + " is required; run the suite again");
        }
        Map<String, Long> notAsked = new LinkedHashMap<>();
        content.texts("not_asked").forEach((reason, times) -> notAsked.put(reason, Long.parseLong(times)));
        return new ProofFile(
                file,
                ProofSuite.named(content.text("suite")),
                content.text("version"),
                new Run(content.text("command"), content.text("commit"), Instant.parse(content.text("date")), (long)
                        content.number("seconds")),
                content.texts("environment"),
                content.text("asks"),
                content.list("rows").stream().map(row -> row(new Members(row))).toList(),
                notAsked,
                content.list("accepted").stream()
                        .map(Members::new)
                        .map(each -> new Accepted(each.text("what"), each.text("reason")))
                        .toList(),
                content.list("findings").stream().map(String::valueOf).toList());
    }

    private static Row row(Members row) {
        return new Row(
                row.text("subject"),
                row.text("role").equals("baseline"),
                (long) row.number("passed"),
                (long) row.number("failed"),
                (long) row.number("not_asked"),
                (long) row.number("own"),
                (long) row.number("accepted"),
                row.has("classes")
                        ? row.list("classes").stream().map(String::valueOf).toList()
                        : List.of(),
                row.optional("material").orElse(""));
    }

    /** Returns the version of OpenSSL that Sluice ran on. */
    String openssl() {
        return environment.getOrDefault("OpenSSL", "unknown");
    }
}
