package dev.sluice.bench.results;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The results of {@code tools/proofs/run} that documents quote: committed files. */
public final class PublishedProofs {
    private static final Comparator<ProofFile> ORDER = Comparator.comparing(ProofFile::suite)
            .thenComparing(Comparator.comparing(ProofFile::openssl).reversed())
            .thenComparing(ProofFile::file);

    private final List<ProofFile> files;

    /** Reads the results in a directory, which need not exist. */
    PublishedProofs(Path directory) {
        files = Files.isDirectory(directory) ? read(directory) : List.of();
    }

    private static List<ProofFile> read(Path directory) {
        try (Stream<Path> list = Files.list(directory)) {
            return list.filter(file -> file.toString().endsWith(".json"))
                    .map(ProofFile::read)
                    .sorted(ORDER)
                    .toList();
        } catch (IOException e) {
            throw new BenchException("cannot list the results in " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Returns all files of suites of a kind: by suite, then the newest OpenSSL first. */
    List<ProofFile> files(Predicate<ProofSuite> kind) {
        return files.stream().filter(file -> kind.test(file.suite())).toList();
    }

    /** Returns the commit of each result, in the order of pages. */
    public List<String> commits() {
        return files.stream().map(file -> file.run().commit()).toList();
    }
}
