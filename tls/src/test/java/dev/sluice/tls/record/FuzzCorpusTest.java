package dev.sluice.tls.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.lean.LeanHelloFuzzer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A run of the fuzzers over their committed corpus and a bounded number of mutations, the same in every run. Longer,
 * coverage-guided fuzzing: {@code tools/fuzz}.
 */
final class FuzzCorpusTest {
    private static final int CHANGED_INPUTS = 3_000;
    private static final int MAX_CHANGES = 8;

    enum Target {
        RECORD(RecordFuzzer::fuzzerTestOneInput),
        POST_HANDSHAKE(PostHandshakeFuzzer::fuzzerTestOneInput),
        KEY_LOG(KeyLogFuzzer::fuzzerTestOneInput),
        HELLO(LeanHelloFuzzer::fuzzerTestOneInput);

        @SuppressWarnings("ImmutableEnumChecker") // a method
        private final Consumer<byte[]> fuzzer;

        Target(Consumer<byte[]> fuzzer) {
            this.fuzzer = fuzzer;
        }

        Path corpus() {
            return Path.of("src", "test", "fuzz", name().toLowerCase(java.util.Locale.ROOT));
        }
    }

    @ParameterizedTest
    @EnumSource
    void passesTheCorpus(Target target) throws IOException {
        List<Path> files = files(target);
        assertThat(files).hasSizeGreaterThan(5);
        for (Path file : files) {
            try {
                target.fuzzer.accept(Files.readAllBytes(file));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("input " + file + ": " + e.getMessage(), e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void passesMutationsOfTheCorpus(Target target) throws IOException {
        List<byte[]> corpus = files(target).stream().map(FuzzCorpusTest::read).toList();
        for (long seed = 0; seed < CHANGED_INPUTS; seed++) {
            byte[] input = changed(corpus, new Random(seed));
            try {
                target.fuzzer.accept(input);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static byte[] changed(List<byte[]> corpus, Random random) {
        byte[] first = corpus.get(random.nextInt(corpus.size()));
        byte[] second = corpus.get(random.nextInt(corpus.size()));
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

    private static List<Path> files(Target target) throws IOException {
        try (Stream<Path> files = Files.list(target.corpus())) {
            return files.sorted().toList();
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
