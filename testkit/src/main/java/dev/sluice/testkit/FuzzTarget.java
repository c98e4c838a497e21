package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A fuzzer with its committed corpus in {@code src/test/fuzz/NAME} of its module. Tests run the corpus and a bounded
 * number of mutations of it, the same in every run; {@code tools/fuzz NAME} goes further, guided by coverage.
 *
 * @param name the name in {@code tools/fuzz}
 * @param corpus the directory of the inputs, whose names say what they are
 * @param mutations how many of them a test runs
 * @param fuzzer runs one input; throws when a property does not hold
 */
public record FuzzTarget(String name, Path corpus, int mutations, Consumer<byte[]> fuzzer) {
    private static final int INPUTS_MIN = 6;
    private static final int MUTATIONS = 3_000;
    private static final int MAX_CHANGES = 8;

    /** Creates a target with the usual number of mutations, a second or two of work. */
    public static FuzzTarget of(String name, Consumer<byte[]> fuzzer) {
        return new FuzzTarget(name, Path.of("src", "test", "fuzz", name), MUTATIONS, fuzzer);
    }

    /** Returns the target with another number of mutations. */
    public FuzzTarget withMutations(int count) {
        return new FuzzTarget(name, corpus, count, fuzzer);
    }

    /** Returns the target with the corpus of another one. */
    public FuzzTarget withCorpus(Path directory) {
        return new FuzzTarget(name, directory, mutations, fuzzer);
    }

    /** Runs each input of the corpus. */
    public void runCorpus() {
        for (Path file : files()) {
            run(read(file), "input " + file);
        }
    }

    /** Runs mutations of the corpus, which depend on nothing but it. */
    public void runMutations() {
        List<byte[]> inputs = files().stream().map(FuzzTarget::read).toList();
        for (long seed = 0; seed < mutations; seed++) {
            run(mutation(inputs, new Random(seed)), "seed " + seed);
        }
    }

    private void run(byte[] input, String what) {
        try {
            fuzzer.accept(input);
        } catch (RuntimeException | Error e) {
            throw new AssertionError(name + ", " + what + ": " + e, e);
        }
    }

    /** Joins the begin of one input and the end of another one, and changes some bytes. */
    private static byte[] mutation(List<byte[]> inputs, Random random) {
        byte[] first = inputs.get(random.nextInt(inputs.size()));
        byte[] second = inputs.get(random.nextInt(inputs.size()));
        int cut = random.nextInt(first.length + 1);
        int from = random.nextInt(second.length + 1);
        byte[] input = new byte[cut + second.length - from];
        System.arraycopy(first, 0, input, 0, cut);
        System.arraycopy(second, from, input, cut, second.length - from);
        for (int i = random.nextInt(MAX_CHANGES); i > 0 && input.length > 0; i--) {
            input[random.nextInt(input.length)] = (byte) random.nextInt();
        }
        return input;
    }

    private List<Path> files() {
        try (Stream<Path> files = Files.list(corpus)) {
            List<Path> sorted = files.sorted().toList();
            if (sorted.size() < INPUTS_MIN) {
                throw new AssertionError(corpus + " has " + sorted.size() + " inputs; run the tests from their module");
            }
            return sorted;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
