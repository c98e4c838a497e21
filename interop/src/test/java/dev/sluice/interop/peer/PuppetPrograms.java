package dev.sluice.interop.peer;

import dev.sluice.interop.fixture.BuildLock;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.testkit.ForeignCommand;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The builder of the puppets from their sources in {@code src/test}, each once in a process. Thread-safe. */
final class PuppetPrograms {
    private static final Duration COMPILATION_LIMIT = Duration.ofMinutes(10);
    private static final Path SOURCES = Sluice.home().resolve("interop/src/test");
    private static final Path DIRECTORY = Sluice.home().resolve("interop/target/puppets");
    private static final Map<String, Path> BUILT = new ConcurrentHashMap<>();

    private PuppetPrograms() {}

    static Path libssl() {
        return built(
                "libssl",
                program -> compileC(program, "libssl.c", "openssl/ssl.h", "libssl-dev", List.of("ssl", "crypto")));
    }

    static Path gnutls() {
        return built(
                "gnutls",
                program -> compileC(program, "gnutls.c", "gnutls/gnutls.h", "libgnutls28-dev", List.of("gnutls")));
    }

    static Path go() {
        return built(
                "go",
                program -> ForeignProgram.required("go", "golang-go")
                        .command("build", "-o", program.toString(), "puppet.go")
                        .in(SOURCES.resolve("go/puppet"))
                        .with("GO111MODULE", "off")
                        .within(COMPILATION_LIMIT)
                        .run()
                        .expectSuccess());
    }

    /** Cargo keeps what it built in a directory of its own, so that only the first build of a tree takes long. */
    static Path rustls() {
        Path kept = DIRECTORY.resolve("cargo");
        built("rustls", program -> {
            ForeignResult fetched = cargo(kept, "fetch", "--locked").run();
            if (fetched.exitCode() != 0) {
                ForeignProgram.absent("the crates that rustls needs cannot be fetched: " + fetched.errors());
            }
            cargo(kept, "build", "--locked", "--offline", "--quiet").run().expectSuccess();
        });
        return kept.resolve("debug/puppet");
    }

    private static ForeignCommand cargo(Path kept, String... arguments) {
        return ForeignProgram.required("cargo", "cargo-web")
                .command(arguments)
                .in(SOURCES.resolve("rust"))
                .with("CARGO_TARGET_DIR", kept.toString())
                .within(COMPILATION_LIMIT);
    }

    private static void compileC(
            Path program, String source, String header, String debianPackage, List<String> libraries) {
        if (!Files.exists(Path.of("/usr/include", header))) {
            ForeignProgram.absent(
                    "the header " + header + " is not in /usr/include; remedy: apt-get install " + debianPackage);
        }
        List<String> line = new ArrayList<>(List.of("-O1", "-o", program.toString(), "puppet.c", source));
        libraries.forEach(library -> line.add("-l" + library));
        ForeignProgram.required("cc", "gcc")
                .command(line.toArray(String[]::new))
                .in(SOURCES.resolve("c"))
                .within(COMPILATION_LIMIT)
                .run()
                .expectSuccess();
    }

    /** A program takes the place of another one of this name, which another process may be running. */
    private static Path built(String name, Consumer<Path> build) {
        return BUILT.computeIfAbsent(name, key -> {
            Path program = DIRECTORY.resolve(key);
            Path made = DIRECTORY.resolve(key + ".made");
            try (BuildLock _ = BuildLock.of(program)) {
                build.accept(made);
                if (Files.exists(made)) {
                    Files.move(made, program, StandardCopyOption.ATOMIC_MOVE);
                }
                return program;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
