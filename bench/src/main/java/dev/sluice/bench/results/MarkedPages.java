package dev.sluice.bench.results;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Markdown pages whose tables and figures are generated from published results. What is generated stands between
 * marks, which are comments of HTML: {@code <!-- results: NAME -->} and {@code <!-- end -->} on lines of their own
 * around the tables of a suite, {@code <!-- results: NAME EXPERIMENT -->} around one table, {@code <!-- proofs: BLOCK
 * -->} around a {@link ProofTables.Block}, and {@link QuotedFigure} within a line.
 */
public final class MarkedPages {
    private static final Pattern TABLES = Pattern.compile(
            "^(<!-- results: ([a-z0-9.-]+)(?: ([A-Za-z0-9.*-]+))? -->\\n)(.*?)^(<!-- end -->)$",
            Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern PROOFS = Pattern.compile(
            "^(<!-- proofs: ([a-z-]+) -->\\n)(.*?)^(<!-- end -->)$", Pattern.MULTILINE | Pattern.DOTALL);

    private final Path root;
    private final PublishedResults results;
    private final Set<String> suites;

    /**
     * Creates an instance.
     *
     * @param root the directory with the README and with docs
     * @param results what pages quote
     * @param suites the names of all suites
     */
    public MarkedPages(Path root, PublishedResults results, Set<String> suites) {
        this.root = root;
        this.results = results;
        this.suites = Set.copyOf(suites);
    }

    /** Returns all pages: those of the root and those in docs. */
    public List<Path> all() {
        try (Stream<Path> top = Files.list(root);
                Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new BenchException("cannot list the pages in " + root + ": " + e.getMessage(), e);
        }
    }

    /** Generates all pages anew, and returns those that changed. */
    public List<Path> write() {
        List<Path> changed = new ArrayList<>();
        for (Path page : all()) {
            String before = read(page);
            String after = generate(page, before);
            if (!after.equals(before)) {
                write(page, after);
                changed.add(page);
            }
        }
        return changed;
    }

    /**
     * Returns a page with what its marks generate.
     *
     * @param page its place, to which links are relative
     * @param text its text
     * @throws BenchException when a mark names no suite
     */
    public String generate(Path page, String text) {
        String tables = replace(TABLES, text, mark -> mark.group(1) + tables(page, mark) + mark.group(5));
        String proofs = replace(PROOFS, tables, mark -> mark.group(1) + proofs(page, mark.group(2)) + mark.group(4));
        return replace(QuotedFigure.PATTERN, proofs, mark -> figure(page, mark));
    }

    private static String replace(Pattern pattern, String text, Function<MatchResult, String> by) {
        return pattern.matcher(text).replaceAll(mark -> Matcher.quoteReplacement(by.apply(mark)));
    }

    private String tables(Path page, MatchResult mark) {
        String name = mark.group(2);
        requireSuite(page, name);
        return results.named(name)
                .map(entry -> {
                    String link = link(page, entry.file());
                    return mark.group(3) == null
                            ? ResultTables.all(entry.results(), link)
                            : ResultTables.some(entry.results(), mark.group(3), link);
                })
                .map(tables -> "\n" + tables + "\n")
                .orElse("No run of this suite is published yet.\n");
    }

    private String proofs(Path page, String block) {
        try {
            ProofTables tables = new ProofTables(results.proofs(), file -> link(page, file));
            return "\n" + tables.of(ProofTables.Block.named(block)) + "\n";
        } catch (IllegalArgumentException e) {
            throw new BenchException(page + " has a mark for the proofs " + block + ", which there are none of", e);
        }
    }

    private static String link(Path page, Path file) {
        Path absolute = page.toAbsolutePath().normalize().resolveSibling(".").normalize();
        return absolute.relativize(file.toAbsolutePath().normalize()).toString();
    }

    /** Returns the mark with its figure; unchanged without published results. */
    private String figure(Path page, MatchResult mark) {
        QuotedFigure figure = new QuotedFigure(mark);
        requireSuite(page, figure.suite());
        return results.named(figure.suite())
                .map(entry -> figure.of(entry.results()))
                .orElseGet(mark::group);
    }

    private void requireSuite(Path page, String name) {
        if (suites.stream().noneMatch(suite -> name.equals(suite) || name.startsWith(suite + "-"))) {
            throw new BenchException(
                    page + " has a mark for the results " + name + ", which no suite has; see ./sluice bench list");
        }
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new BenchException("cannot read " + page + ": " + e.getMessage(), e);
        }
    }

    private static void write(Path page, String text) {
        try {
            Files.writeString(page, text);
        } catch (IOException e) {
            throw new BenchException("cannot write " + page + ": " + e.getMessage(), e);
        }
    }
}
