package dev.sluice.bench.results;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The places of results: a directory for each run, with a file for each suite. */
public final class ResultDirectory {
    /** The name ending of files of results. */
    public static final String SUFFIX = ".jsonl";

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private ResultDirectory() {}

    /**
     * Returns the directory of a run, which need not exist yet.
     *
     * @param results the directory of all runs
     */
    public static Path of(Path results, Instant date, String commit) {
        return results.resolve(NAME.format(date) + "-" + commit);
    }

    /** Returns the file of a suite in the directory of a run. */
    public static Path file(Path run, String suite) {
        return run.resolve(suite + SUFFIX);
    }

    /**
     * Returns the newest results of each suite, by its name; those in files of a name that begins with the suite's,
     * such as {@code terminator-newest}, are sets of their own, by that name.
     *
     * @param place a file of results, or a directory with such files at any depth; those without a result are ignored
     * @throws BenchException when there is none
     */
    public static Map<String, ResultFile> newest(Path place) {
        Map<String, ResultFile> newest = new TreeMap<>();
        newestFiles(place).forEach((suite, file) -> newest.put(suite, ResultFile.read(file)));
        return newest;
    }

    /**
     * Returns the files of the newest results of each suite, by names as above.
     *
     * @param place as above
     * @throws BenchException when there is none
     */
    static Map<String, Path> newestFiles(Path place) {
        Map<String, Path> newest = new TreeMap<>();
        Map<String, Instant> dates = new HashMap<>();
        for (Path path : files(place)) {
            ResultFile file = ResultFile.read(path);
            Instant date = file.origin().date();
            String name = name(path, file.origin().suite());
            if (file.hasResults() && !dates.getOrDefault(name, Instant.MIN).isAfter(date)) {
                dates.put(name, date);
                newest.put(name, path);
            }
        }
        if (newest.isEmpty()) {
            throw new BenchException("no results in " + place + "; measure with ./sluice bench run NAME");
        }
        return newest;
    }

    private static String name(Path path, String suite) {
        String name = path.getFileName().toString().replace(SUFFIX, "");
        return name.startsWith(suite + "-") ? name : suite;
    }

    /** Returns the files of results in a directory, at any depth, or the file itself. */
    static List<Path> files(Path place) {
        if (!Files.exists(place)) {
            throw new BenchException("no such file or directory: " + place + "; measure with ./sluice bench run NAME");
        }
        if (Files.isRegularFile(place)) {
            return List.of(place);
        }
        try (Stream<Path> tree = Files.walk(place)) {
            return tree.filter(file -> file.getFileName().toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new BenchException("cannot read " + place + ": " + e.getMessage(), e);
        }
    }
}
