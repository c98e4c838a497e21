package dev.sluice.bench.results;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results of {@code tools/proofs/run} as Markdown. */
final class ProofTables {
    private static final int REASONS_MAX = 8;
    private static final int SECONDS_PER_MINUTE = 60;
    private static final String NONE = "–";

    /** The facts of a suite that have a column of their own. */
    private static final Set<String> SHOWN_ELSEWHERE = Set.of("Sluice", "OpenSSL");

    private final PublishedProofs proofs;
    private final Function<Path, String> link;

    /**
     * Creates an instance.
     *
     * @param link returns the place of a file, from the page
     */
    ProofTables(PublishedProofs proofs, Function<Path, String> link) {
        this.proofs = proofs;
        this.link = link;
    }

    /** The blocks that a page may have. */
    enum Block {
        /** The counts of others' suites. */
        SUITES(ProofTables::suites),
        /** The origin of each result, and the command that repeats it. */
        COMMANDS(ProofTables::commands),
        /** The differences that stay, with their reasons. */
        ACCEPTED(ProofTables::accepted),
        /** The reasons for what was not asked. */
        NOT_ASKED(ProofTables::notAsked),
        /** The counts of Sluice's own tests. */
        TESTS(ProofTables::tests);

        @SuppressWarnings("ImmutableEnumChecker") // method references without state
        private final Function<ProofTables, String> tables;

        Block(Function<ProofTables, String> tables) {
            this.tables = tables;
        }

        /**
         * Returns the block of a mark.
         *
         * @throws IllegalArgumentException when there is none
         */
        static Block named(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
        }
    }

    /** Returns a block of Markdown. */
    String of(Block block) {
        return block.tables.apply(this);
    }

    private String suites() {
        List<List<String>> rows = new ArrayList<>();
        List<ProofFile> files = proofs.files(suite -> !suite.ownTests());
        files.forEach(file -> file.rows().forEach(row -> rows.add(suiteRow(file, row))));
        String table = table(
                ":-- :-- --: --: --: --: --: --: --:",
                List.of(
                        "suite",
                        "examined",
                        "OpenSSL",
                        "passed",
                        "failed",
                        "the baseline fails, too",
                        "accepted",
                        "open",
                        "not asked"),
                rows);
        String open = files.stream()
                .flatMap(file -> file.findings().stream()
                        .map(finding -> "- " + file.suite().title() + ": " + finding))
                .collect(Collectors.joining("\n"));
        return open.isEmpty() ? table : table + "\nOpen:\n\n" + open + "\n";
    }

    private static List<String> suiteRow(ProofFile file, ProofFile.Row row) {
        boolean compared = file.rows().stream().anyMatch(ProofFile.Row::baseline);
        return List.of(
                file.suite().title(),
                row.subject() + (row.baseline() ? " (baseline)" : ""),
                file.openssl(),
                number(row.passed()),
                number(row.failed()),
                row.baseline() || !compared ? NONE : number(row.failed() - row.own()),
                row.baseline() ? NONE : number(row.accepted()),
                row.baseline() ? NONE : "**" + number(row.own() - row.accepted()) + "**",
                number(row.notAsked()));
    }

    private String tests() {
        Map<String, ProofFile.Row> shown = new LinkedHashMap<>();
        Map<String, Set<String>> versions = new LinkedHashMap<>();
        for (ProofFile file : proofs.files(ProofSuite::ownTests)) {
            for (ProofFile.Row row : file.rows()) {
                shown.putIfAbsent(row.subject(), row);
                versions.computeIfAbsent(row.subject(), subject -> new LinkedHashSet<>())
                        .add(file.openssl() + (row.failed() > 0 ? " (" + row.failed() + " failed)" : ""));
            }
        }
        List<List<String>> rows = shown.values().stream()
                .map(row -> List.of(
                        row.subject(),
                        row.material().isEmpty() ? NONE : row.material(),
                        number(row.passed()),
                        number(row.failed()),
                        number(row.notAsked()),
                        String.join(", ", versions.getOrDefault(row.subject(), Set.of())),
                        row.classes().stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "))))
                .toList();
        return table(
                ":-- :-- --: --: --: :-- :--",
                List.of("what they show", "material", "passed", "failed", "skipped", "OpenSSL", "classes"),
                rows);
    }

    private String accepted() {
        Set<List<String>> rows = new LinkedHashSet<>();
        for (ProofFile file : proofs.files(suite -> true)) {
            file.accepted().forEach(each -> rows.add(List.of(file.suite().title(), each.what(), each.reason())));
        }
        return table(":-- :-- :--", List.of("suite", "difference", "why it stays"), rows);
    }

    /** The reasons of the newest OpenSSL of each suite, the most frequent first. */
    private String notAsked() {
        Map<ProofSuite, ProofFile> newest = new LinkedHashMap<>();
        proofs.files(suite -> true).forEach(file -> newest.putIfAbsent(file.suite(), file));
        List<List<String>> rows = new ArrayList<>();
        newest.forEach((suite, file) -> {
            List<Map.Entry<String, Long>> reasons = file.notAsked().entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                    .toList();
            reasons.stream()
                    .limit(REASONS_MAX)
                    .forEach(each -> rows.add(List.of(suite.title(), each.getKey(), number(each.getValue()))));
            long others = reasons.stream()
                    .skip(REASONS_MAX)
                    .mapToLong(Map.Entry::getValue)
                    .sum();
            if (others > 0) {
                rows.add(List.of(suite.title(), "others, all in the result file", number(others)));
            }
        });
        return table(":-- :-- --:", List.of("suite", "not asked, or skipped", "times"), rows);
    }

    private String commands() {
        MarkdownText text = new MarkdownText();
        List<String> lines =
                proofs.files(suite -> true).stream().map(this::command).toList();
        text.block(String.join("\n", lines));
        return text.toString();
    }

    private String command(ProofFile file) {
        String others = file.environment().entrySet().stream()
                .filter(each -> !SHOWN_ELSEWHERE.contains(each.getKey()))
                .map(each ->
                        each.getKey().equals("transport") ? each.getValue() : each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", "));
        return "- `" + file.run().command() + "`\\\n  " + file.suite().label() + " " + file.version() + "; OpenSSL "
                + file.openssl() + ", " + others + "\\\n  commit `" + file.run().commit() + "`, "
                + file.run().date().toString().substring(0, "2000-01-01".length()) + ", "
                + duration(file.run().seconds()) + ":\n  [result](" + link.apply(file.file()) + ")";
    }

    private static String duration(long seconds) {
        return seconds < 2 * SECONDS_PER_MINUTE
                ? seconds + " s"
                : Math.round((double) seconds / SECONDS_PER_MINUTE) + " minutes";
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String table(String alignment, List<String> titles, Collection<List<String>> rows) {
        if (rows.isEmpty()) {
            return "No run of these is published yet.\n";
        }
        StringBuilder text = new StringBuilder();
        line(text, titles.stream());
        line(text, Stream.of(alignment.split(" ")).map(each -> each.equals(":--") ? "---" : "---:"));
        rows.forEach(row -> line(text, row.stream().map(cell -> cell.replace("|", "\\|"))));
        return text.toString();
    }

    private static void line(StringBuilder text, Stream<String> cells) {
        text.append(cells.collect(Collectors.joining(" | ", "| ", " |\n")));
    }
}
