package dev.sluice.bench.record;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.Output;
import dev.sluice.bench.process.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The compiler of the C code of a comparison. */
final class NativeProgram {
    private static final Program COMPILER = new Program("cc", "gcc libc6-dev");

    private final Path directory;
    private final Optional<Path> openssl;

    /**
     * Creates a compiler with an output directory.
     *
     * @param openssl the directory with the OpenSSL under test; empty for the system's
     */
    NativeProgram(Path directory, Optional<Path> openssl) {
        this.directory = directory;
        this.openssl = openssl;
    }

    /** Returns the program with the rows in C, on the OpenSSL under test. */
    Path baseline() throws InterruptedException {
        List<String> libraries = new ArrayList<>(List.of("-Wl,--no-as-needed"));
        openssl.ifPresent(folder -> libraries.addAll(List.of("-L" + folder, "-Wl,-rpath," + folder)));
        libraries.addAll(List.of("-l:libssl.so.3", "-l:libcrypto.so.3"));
        return compile("baseline.c", "baseline", libraries);
    }

    /** Returns the library that counts OpenSSL's allocations, for LD_PRELOAD. */
    Path allocations() throws InterruptedException {
        return compile("allocations.c", "allocations.so", List.of("-shared", "-fPIC", "-ldl"));
    }

    private Path compile(String source, String name, List<String> options) throws InterruptedException {
        Path text = directory.resolve(source);
        Path compiled = directory.resolve(name);
        try (InputStream in = NativeProgram.class.getResourceAsStream(source)) {
            if (in == null) {
                throw new IllegalStateException("resource missing: " + source);
            }
            Files.copy(in, text);
        } catch (IOException e) {
            throw new BenchException("cannot write " + text + ": " + e.getMessage(), e);
        }
        String compiler = COMPILER.find()
                .orElseThrow(() -> new BenchException(COMPILER.missing()))
                .toString();
        List<String> command = new ArrayList<>(List.of(compiler, "-O2", "-o", compiled.toString(), text.toString()));
        command.addAll(options);
        String said = Output.of(command, Map.of());
        if (!Files.isExecutable(compiled)) {
            throw new BenchException(compiler + " does not compile " + source + ":\n" + said);
        }
        return compiled;
    }
}
