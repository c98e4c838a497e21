package dev.sluice.bench.results;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The results that documents quote: committed files, named after their suites or a variant of one. */
public final class PublishedResults {
    private final Path directory;
    private final Map<String, Entry> entries = new TreeMap<>();

    /** Reads the results in a directory, at any depth; of those with one name the newest. There may be none. */
    public PublishedResults(Path directory) {
        this.directory = directory;
        if (Files.isDirectory(directory)) {
            ResultDirectory.files(directory).forEach(this::add);
        }
    }

    /**
     * A file of results.
     *
     * @param file its place
     * @param results its content
     */
    public record Entry(Path file, ResultFile results) {}

    private void add(Path file) {
        String name = file.getFileName().toString().replace(ResultDirectory.SUFFIX, "");
        Entry found = new Entry(file, ResultFile.read(file));
        entries.merge(name, found, (one, other) -> date(one).compareTo(date(other)) < 0 ? other : one);
    }

    private static Instant date(Entry entry) {
        return entry.results().origin().date();
    }

    /** Returns the results of {@code tools/proofs/run}, which lie in a directory beneath. */
    public PublishedProofs proofs() {
        return new PublishedProofs(directory.resolve("proofs"));
    }

    /** Returns all results by name. */
    public Map<String, Entry> entries() {
        return new LinkedHashMap<>(entries);
    }

    /** Returns the results of a name, if there are any. */
    Optional<Entry> named(String name) {
        return Optional.ofNullable(entries.get(name));
    }

    /**
     * Copies the newest results of each suite of a run here, in place of those of the same suite.
     *
     * @param run a directory or a file of results
     * @return the copies
     * @throws BenchException when results do not name a commit that has their sources
     */
    public List<Path> publish(Path run) {
        List<Path> copies = new ArrayList<>();
        Map<String, Path> files = ResultDirectory.newestFiles(run);
        files.values().forEach(PublishedResults::requireCommit);
        files.forEach((suite, file) -> copies.add(copy(file, ResultDirectory.file(directory, suite))));
        return copies;
    }

    private static void requireCommit(Path file) {
        String commit = ResultFile.read(file).origin().commit();
        if (!commit.matches("[0-9a-f]{7,40}")) {
            throw new BenchException(file + " was measured on sources that no commit has, commit=" + commit
                    + "; commit them and measure again");
        }
    }

    private static Path copy(Path from, Path to) {
        try {
            Files.createDirectories(to.resolveSibling("."));
            return Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new BenchException("cannot copy " + from + " to " + to + ": " + e.getMessage(), e);
        }
    }
}
