package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Tests of the command line in process; other tests run the launcher and a gateway as processes. */
class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @TempDir
    Path directory = Path.of("");

    private int run(String... arguments) {
        CommandLine command = SluiceCommand.line(arguments);
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(errors, true));
        return command.execute(arguments);
    }

    @Test
    void checkReportsWhatWouldBeServed() throws IOException {
        Path file = write("127.0.0.1:8443");

        assertThat(run("check", file.toString())).isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .startsWith(file + ": valid")
                .contains("listener 127.0.0.1:8443, TLS 1.2 or later, alpn h2, http/1.1")
                .contains("certificate shop: localhost")
                .contains("server name *.example.com -> web")
                .contains("every connection -> web")
                .contains("backend web, least-connections, proxy-protocol v1, connected at the ClientHello")
                .contains("  127.0.0.1:8080");
        assertThat(errors.toString()).isEmpty();
    }

    @Test
    void theFirstArgumentNamesTheOnlySubcommand() {
        List<String> all =
                List.copyOf(SluiceCommand.line().getCommandSpec().subcommands().keySet());

        assertThat(SluiceCommand.names()).isEqualTo(all);
        assertThat(SluiceCommand.line("pull", "-h").getSubcommands()).containsOnlyKeys("pull");
        assertThat(SluiceCommand.line("pul").getSubcommands().keySet()).containsAll(all);
        assertThat(SluiceCommand.line("help", "pull").getSubcommands().keySet()).containsAll(all);
    }

    @Test
    void helpTextsAreFormatStrings() {
        assertHelpIsFormatted(SluiceCommand.line().getCommandSpec());
    }

    /** A stray percent sign makes picocli print a warning in front of the help. */
    private static void assertHelpIsFormatted(CommandSpec command) {
        UsageMessageSpec help = command.usageMessage();
        assertThat(Stream.of(help.header(), help.description(), help.footer()).flatMap(Stream::of))
                .allSatisfy(text -> assertThatCode(() -> text.formatted()).doesNotThrowAnyException());
        assertThat(command.args())
                .flatExtracting(arg -> List.of(arg.description()))
                .allSatisfy(text -> assertThatCode(() -> text.formatted()).doesNotThrowAnyException());
        command.subcommands().values().forEach(each -> assertHelpIsFormatted(each.getCommandSpec()));
    }

    @Test
    void checkListsAllProblemsOnly() throws IOException {
        Path file = write("nowhere");
        Files.writeString(file, Files.readString(file) + "lops: 3\n");

        assertThat(run("check", file.toString())).isEqualTo(ExitCode.REFUSED);

        assertThat(errors.toString().lines()).hasSize(2).allMatch(line -> line.startsWith(file + ":"));
        assertThat(errors.toString()).contains("did you mean \"loops\"?");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void strictCheckTreatsWarningsAsErrors() throws IOException {
        Path file = write("127.0.0.1:8443");
        assertThat(run("check", "--strict", file.toString())).isEqualTo(ExitCode.OK);

        Files.writeString(file, Files.readString(file) + "tickets: off\n");
        assertThat(run("check", file.toString())).isEqualTo(ExitCode.OK);
        assertThat(run("check", "--strict", file.toString())).isEqualTo(ExitCode.REFUSED);

        assertThat(out.toString()).contains("warning: " + file + ":12:10: tickets are off: a returning client takes ");
    }

    @Test
    void rejectsMissingCosts() throws IOException {
        Path file = write("127.0.0.1:8443");

        assertThat(run("check", "--costs", directory.resolve("absent").toString(), file.toString()))
                .isEqualTo(ExitCode.REFUSED);

        assertThat(errors.toString()).startsWith("sluice: --costs: ").contains("sluice bench handshakes --json");
    }

    @Test
    void printsTheEffectiveConfigurationWithWarningsOnStandardError() throws IOException {
        Path file = write("127.0.0.1:8443");
        Files.writeString(file, Files.readString(file) + "tickets: off\n");

        assertThat(run("check", "--effective", file.toString())).isEqualTo(ExitCode.OK);

        assertThat(errors.toString()).contains("warning: ");
        Path effective = Files.writeString(directory.resolve("effective.yaml"), out.toString());
        assertThat(out.toString()).contains("handshake-timeout: 5s");
        assertThat(run("check", effective.toString())).isEqualTo(ExitCode.OK);
    }

    @Test
    void replacementRequiresAnAdminSocket() throws IOException {
        assertThat(run("gateway", "--replace", "--config", write("127.0.0.1:0").toString()))
                .isEqualTo(ExitCode.REFUSED);

        assertThat(errors.toString()).contains("--replace finds the running gateway by its admin socket");
    }

    @Test
    void rejectsAPortInUseWithItsPosition() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            Path file = write(address);

            assertThat(run("gateway", "--config", file.toString())).isEqualTo(ExitCode.TRY_AGAIN);

            assertThat(errors.toString()).startsWith("sluice: " + file + ":2:14: address " + address + " is in use; ");
        }
    }

    @Test
    void temporaryProblemsHaveTheirOwnExitCode() throws IOException {
        Path file = write("127.0.0.1:0");
        String good = Files.readString(file);

        assertThat(gateway(directory.resolve("absent.yaml"))).isEqualTo(ExitCode.TRY_AGAIN);
        assertThat(gateway(Files.writeString(file, good.replaceFirst("chain: [^,]+,", "chain: absent.pem,"))))
                .isEqualTo(ExitCode.TRY_AGAIN);
        assertThat(gateway(Files.writeString(file, good.replace("127.0.0.1:0", "nowhere.invalid:0"))))
                .isEqualTo(ExitCode.TRY_AGAIN);
        assertThat(gateway(Files.writeString(file, good.replace("127.0.0.1:0", "192.0.2.1:0"))))
                .as("an interface that is not up yet")
                .isEqualTo(ExitCode.TRY_AGAIN);
        assertThat(gateway(Files.writeString(
                        file,
                        good + "admin: unix:" + directory.resolve("absent").resolve("admin") + "\n")))
                .isEqualTo(ExitCode.TRY_AGAIN);
    }

    @Test
    void rejectsPermanentProblems() throws IOException {
        Path file = write("127.0.0.1:0");
        String good = Files.readString(file);
        String absent = good.replaceFirst("chain: [^,]+,", "chain: absent.pem,");

        assertThat(gateway(Files.writeString(file, absent + "lops: 3\n"))).isEqualTo(ExitCode.REFUSED);
        assertThat(gateway(Files.writeString(file, good.replace("127.0.0.1:0", "999.0.0.1:0"))))
                .isEqualTo(ExitCode.REFUSED);
        assertThat(gateway(Files.writeString(
                        file,
                        good.replace(
                                TestCertificates.shared().server().keyFile().toString(),
                                TestCertificates.shared().client().keyFile().toString()))))
                .isEqualTo(ExitCode.REFUSED);
        assertThat(run("check", Files.writeString(file, absent).toString()))
                .as("check has one code for all problems")
                .isEqualTo(ExitCode.REFUSED);
    }

    private int gateway(Path config) {
        return run("gateway", "--config", config.toString());
    }

    @Test
    void warnsAboutAServerWhoseNameDoesNotResolve() throws IOException {
        Path file = write("127.0.0.1:8443");
        Files.writeString(file, Files.readString(file).replace("127.0.0.1:8080", "nowhere.invalid:8080"));

        assertThat(run("check", file.toString())).isEqualTo(ExitCode.OK);
        assertThat(run("check", "--strict", file.toString())).isEqualTo(ExitCode.REFUSED);

        assertThat(out.toString())
                .contains("nowhere.invalid:8080")
                .containsPattern("warning: " + file + ":[0-9]+:[0-9]+: nowhere.invalid does not resolve: this server is"
                        + " down until it does");
    }

    @Test
    void rejectsConflictingOptions() throws IOException {
        String file = write("127.0.0.1:0").toString();

        assertThat(run("gateway", "--config", file, "--listen", "127.0.0.1:0")).isEqualTo(ExitCode.REFUSED);
        assertThat(run("gateway", "--config", file, "--transport", "kqueue")).isEqualTo(ExitCode.REFUSED);
        assertThat(run("gateway", "--listen", "nowhere")).isEqualTo(ExitCode.REFUSED);

        assertThat(errors.toString())
                .contains("--listen is for the demo")
                .contains("write one of auto, io_uring, epoll")
                .contains("--listen: \"nowhere\" is not host:port");
    }

    @Test
    void suggestsACommandForAMistypedOne() {
        assertThat(run("gatewy")).isEqualTo(ExitCode.REFUSED);

        assertThat(errors.toString()).contains("sluice gateway");
    }

    @Test
    void versionReportsTheVersionsInUse() {
        assertThat(run("version")).isEqualTo(ExitCode.OK);

        assertThat(out.toString())
                .containsPattern("openssl   OpenSSL [34]\\..* from /.*libssl\\.so\\.")
                .contains("transport ")
                .contains("java      25");
    }

    @Test
    void helpSuggestsANameForAMistypedOne() {
        assertThat(run("help", "tickets", "rotat")).isEqualTo(ExitCode.REFUSED);

        assertThat(errors.toString()).contains("rotat").contains("tickets rotate?");
    }

    @Test
    void helpDescribesTheCommandsOfCommands() {
        assertThat(run("help", "cost", "plan")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("Usage: sluice cost plan");
    }

    @Test
    void versionNamesOpenSsl() {
        assertThat(run("--version")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).containsPattern("(?s)^sluice .*OpenSSL [34]\\.");
    }

    @Test
    void everyCommandHasHelp() {
        for (String command : new String[] {"gateway", "check", "version", "bench"}) {
            assertThat(run(command, "--help")).isEqualTo(ExitCode.OK);
            assertThat(out.toString()).contains("sluice " + command);
        }
    }

    private Path write(String address) throws IOException {
        Credential server = TestCertificates.shared().server();
        return Files.writeString(
                directory.resolve("sluice.yaml"), """
                listeners:
                  - address: %s
                    certificates: [shop]
                    alpn: [h2, http/1.1]
                    routes:
                      - {sni: "*.example.com", backend: web}
                      - {backend: web}
                certificates:
                  shop: {chain: %s, key: %s}
                backends:
                  web: {servers: [127.0.0.1:8080], balance: least-connections, proxy-protocol: v1, connect: at-hello}
                """.formatted(address, server.chainFile(), server.keyFile()));
    }
}
