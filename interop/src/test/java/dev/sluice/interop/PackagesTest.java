package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.Curl;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.Root;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.StagingRepository;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packages that {@code ./sluice package} makes, but for the image: what they hold, and that the unpacked program
 * serves. {@code tools/package/try} installs, upgrades and purges them in a Debian.
 */
class PackagesTest {
    private static final String VERSION = StagingRepository.version();
    private static final Duration BUILD_LIMIT = Duration.ofMinutes(5);
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Pattern LISTENING = Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+)");
    /** Of loopback, so that its privileged ports are free. */
    private static final String UNUSED_ADDRESS = "127.66.0.1";

    private static final Path PACKAGES = Sluice.home().resolve("target/packages");

    @TempDir
    private static Path directory = Path.of("");

    /** The tree of the tar.gz. */
    private static Path unpacked = Path.of("");

    @BeforeAll
    static void makePackages() throws IOException {
        ForeignProgram.required("rpmbuild", "rpm");
        ForeignProgram.required("ssh-keygen", "openssh-client")
                .command(
                        "-q",
                        "-t",
                        "ed25519",
                        "-N",
                        "",
                        "-f",
                        directory.resolve("key").toString())
                .run()
                .expectSuccess();
        Sluice.command(
                        "package",
                        "--no-sbom",
                        "--sign",
                        directory.resolve("key").toString(),
                        "tar",
                        "deb",
                        "rpm")
                .within(BUILD_LIMIT)
                .run()
                .expectSuccess();
        ForeignProgram.required("tar", "tar")
                .command("-xzf", file(".tar.gz").toString(), "-C", directory.toString())
                .run()
                .expectSuccess();
        unpacked = directory.resolve(file(".tar.gz").getFileName().toString().replace(".tar.gz", ""));
    }

    private static Path file(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(PACKAGES)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static String output(String program, String debianPackage, String... arguments) {
        return ForeignProgram.required(program, debianPackage)
                .command(arguments)
                .run()
                .expectSuccess()
                .output();
    }

    @Test
    void theChecksumsAreRightAndSigned() throws IOException {
        ForeignProgram.required("sha256sum", "coreutils")
                .command("--check", "--strict", "SHA256SUMS")
                .in(PACKAGES)
                .run()
                .expectSuccess();
        Path signers = Files.writeString(
                directory.resolve("signers"), "release " + Files.readString(directory.resolve("key.pub")));

        ForeignProgram.required("ssh-keygen", "openssh-client")
                .command(
                        "-Y",
                        "verify",
                        "-n",
                        "file",
                        "-I",
                        "release",
                        "-f",
                        signers.toString(),
                        "-s",
                        PACKAGES.resolve("SHA256SUMS.sig").toString())
                .input(Files.readAllBytes(PACKAGES.resolve("SHA256SUMS")))
                .run()
                .expectSuccess();
    }

    @Test
    void theDebNamesWhatItNeedsAndKeepsTheConfiguration() throws IOException {
        String deb = file(".deb").toString();

        assertThat(output("dpkg-deb", "dpkg", "--field", deb))
                .contains("Package: sluice", "Version: " + VERSION, "libssl3 (>= 3.0)", "libc6");
        assertThat(output("dpkg-deb", "dpkg", "--info", deb, "conffiles")).isEqualTo("/etc/sluice/sluice.yaml\n");
        assertThat(output("dpkg-deb", "dpkg", "--info", deb, "postinst")).contains("useradd --system");
        assertThat(output("dpkg-deb", "dpkg", "--contents", deb))
                .contains(
                        "./usr/bin/sluice",
                        "./usr/lib/systemd/system/sluice.service",
                        "./usr/share/man/man1/sluice-tickets-rotate.1.gz",
                        "./usr/share/bash-completion/completions/sluice",
                        "./usr/share/zsh/vendor-completions/_sluice",
                        "root/root")
                .doesNotContain("bench", "testkit", ".aot");
    }

    @Test
    void theRpmNamesWhatItNeedsAndKeepsTheConfiguration() throws IOException {
        String rpm = file(".rpm").toString();

        assertThat(output("rpm", "rpm", "-qp", "--requires", rpm))
                .contains("libssl.so.3()(64bit)", "libcrypto.so.3()(64bit)", "shadow-utils");
        assertThat(output("rpm", "rpm", "-qp", "--configfiles", rpm)).isEqualTo("/etc/sluice/sluice.yaml\n");
        assertThat(output("rpm", "rpm", "-qp", "--scripts", rpm)).contains("useradd --system", "try-restart");
        assertThat(output("rpm", "rpm", "-qpl", rpm))
                .contains("/usr/bin/sluice\n", "/usr/share/zsh/site-functions/_sluice\n")
                .doesNotContain("bench", "testkit", ".aot");
    }

    @Test
    void theRuntimeHoldsTheShippedModulesAlone() {
        String modules = ForeignProgram.at(unpacked.resolve("lib/sluice/runtime/bin/java"))
                .command("--list-modules")
                .run()
                .expectSuccess()
                .output();

        assertThat(modules)
                .contains("dev.sluice.cli@" + VERSION, "jdk.jcmd@")
                .doesNotContain("bench", "testkit", "simulator", "java.desktop", "jdk.compiler");
    }

    @Test
    void theUnpackedGatewayServes() throws IOException {
        Credential server = TestCertificates.shared().server();
        try (Backend backend = HttpBackend.start()) {
            Path config = Files.writeString(directory.resolve("sluice.yaml"), """
                    listeners:
                      - {address: "127.0.0.1:0", certificates: [site], backend: web}
                    certificates:
                      site: {chain: "%s", key: "%s"}
                    backends:
                      web: {servers: ["%s"]}
                    """.formatted(
                            server.chainFile(), server.keyFile(), backend.address()));
            try (RunningProgram gateway = ForeignProgram.at(unpacked.resolve("bin/sluice"))
                    .command("gateway", "--config", config.toString())
                    .start()) {
                gateway.awaitOutput("listening on", START_LIMIT);
                Matcher listening = LISTENING.matcher(gateway.output() + gateway.errors());
                assertThat(listening.find()).isTrue();

                String bytes = bytesOf("https://localhost:" + listening.group(1) + "/26");

                assertThat(bytes).isEqualTo("26");
                gateway.terminate();
                assertThat(gateway.awaitExit(START_LIMIT).exitCode()).isZero();
            }
        }
    }

    /** The program, configuration and key lie where that user can read them; the port is one of the privileged. */
    @Test
    void aGatewayThatRootStartsBecomesTheConfiguredUser() throws IOException {
        Root.require("become another user");
        Credential server = TestCertificates.shared().server();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path chain = Files.copy(server.chainFile(), directory.resolve("site.pem"));
        Path key = Files.copy(server.keyFile(), directory.resolve("site.key"));
        for (Path file : List.of(chain, key)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        }
        try (Backend backend = HttpBackend.start()) {
            Path config =
                    Files.writeString(directory.resolve("user.yaml"), """
                    user: nobody
                    listeners:
                      - {address: "%s:443", certificates: [site], backend: web}
                    certificates:
                      site: {chain: site.pem, key: site.key}
                    backends:
                      web: {servers: ["%s"]}
                    """.formatted(UNUSED_ADDRESS, backend.address()));
            try (RunningProgram gateway = ForeignProgram.at(unpacked.resolve("bin/sluice"))
                    .command("gateway", "--config", config.toString())
                    .with("SLUICE_STATE_DIR", directory.resolve("state").toString())
                    .start()) {
                gateway.awaitOutput("listening on " + UNUSED_ADDRESS + ":443", START_LIMIT);

                String bytes = bytesOf("https://localhost:443/26", "--connect-to", "::" + UNUSED_ADDRESS + ":443");

                assertThat(bytes).isEqualTo("26");
                assertThat(gateway.errors())
                        .contains("running as user nobody (", "cannot write the state directory " + directory);
                assertThat(statusOfThreads(gateway, "Uid")).hasSize(1).allMatch(uids -> !uids.contains("\t0"));
                assertThat(statusOfThreads(gateway, "CapPrm"))
                        .containsExactlyInAnyOrder("0000000000000000", "0000000000000400");
                gateway.terminate();
                assertThat(gateway.awaitExit(START_LIMIT).exitCode()).isZero();
            }
        }
    }

    private static String bytesOf(String... request) {
        List<String> arguments = new ArrayList<>(List.of("--output", "/dev/null", "--write-out", "%{size_download}"));
        arguments.addAll(List.of(request));
        return Curl.command(arguments.toArray(String[]::new))
                .run()
                .expectSuccess()
                .output();
    }

    /** Returns the values that the threads of a program have for a field of proc_pid_status(5). */
    private static Set<String> statusOfThreads(RunningProgram program, String field) throws IOException {
        Set<String> values = new TreeSet<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(program.pid()), "task"))) {
            for (Path thread : threads.toList()) {
                Files.readAllLines(thread.resolve("status")).stream()
                        .filter(line -> line.startsWith(field + ":"))
                        .forEach(line ->
                                values.add(line.substring(field.length() + 1).strip()));
            }
        }
        return values;
    }

    @Test
    void eachCommandHasAManualPageThatManReads() throws IOException {
        List<String> pages;
        try (Stream<Path> files = Files.list(unpacked.resolve("share/man/man1"))) {
            pages = files.map(Path::toString).toList();
        }
        assertThat(pages).hasSizeGreaterThan(20);

        for (String page : pages) {
            assertThat(ForeignProgram.required("man", "man-db")
                            .command("--warnings", "--local-file", page)
                            .with("MANWIDTH", "80")
                            .run()
                            .expectSuccess())
                    .satisfies(shown -> assertThat(shown.errors()).isEmpty())
                    .satisfies(shown -> assertThat(shown.output()).contains("NAME", "SYNOPSIS", "DESCRIPTION"));
        }
    }

    @Test
    void bashCompletesCommands() {
        String script = "source " + unpacked.resolve("share/bash-completion/completions/sluice")
                + "; COMP_WORDS=(sluice gat); COMP_CWORD=1; _complete_sluice; echo \"${COMPREPLY[@]}\"";

        assertThat(output("bash", "bash", "-c", script)).isEqualTo("gateway\n");
    }

    @Test
    void theInstalledConfigurationLacksOnlyItsCertificate() {
        String problems = ForeignProgram.at(unpacked.resolve("bin/sluice"))
                .command(
                        "check",
                        unpacked.resolve("share/doc/sluice/examples/sluice.yaml")
                                .toString())
                .run()
                .errors();

        assertThat(problems).contains("/etc/sluice/tls/site.pem").doesNotContain("unknown", "did you mean");
    }
}
