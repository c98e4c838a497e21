package dev.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.SluiceCommand;
import dev.sluice.cli.command.ExitCode;
import dev.sluice.testkit.FreePort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Tests of the audit's command line; interop tests the findings with real servers. */
class DoctorCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @TempDir
    Path directory = Path.of("");

    private int run(String... arguments) {
        CommandLine command = SluiceCommand.line();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(errors, true));
        return command.execute(arguments);
    }

    @Test
    void reportsAMissingServerInEachFormat() throws IOException {
        Path junit = directory.resolve("audit.xml");
        String endpoint = "127.0.0.1:" + FreePort.onLoopback();

        int code = run("doctor", "--json", "--junit", junit.toString(), endpoint);

        assertThat(code).isEqualTo(ExitCode.FAULTS);
        assertThat(out.toString()).contains("\"subject\": \"" + endpoint + "\"", "\"id\": \"unreachable\"");
        assertThat(Files.readString(junit)).contains("failures=\"1\"", "name=\"unreachable\"");
        assertThat(errors.toString()).isEmpty();
    }

    @Test
    void thisMachineHasNoFault() {
        assertThat(run("doctor", "--native")).isIn(ExitCode.OK, ExitCode.WARNINGS);

        assertThat(out.toString()).startsWith("this machine: ").contains("AES-128-GCM");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "doctor | name an endpoint",
                "doctor example.com:x | write a number from 1 to 65535",
                "doctor --starttls pop9 example.com | it is one of smtp, imap, postgres",
                "doctor --rate 0 example.com | --rate 0 is not from 1 to 1000",
                "doctor --watch soon example.com | --watch soon is no duration",
                "doctor --ca /nowhere.pem example.com | --ca /nowhere.pem cannot be read",
                "doctor --costs /nowhere.json example.com | /nowhere.json does not exist"
            })
    void rejectsInvalidArguments(String line, String message) {
        assertThat(run(line.split(" ", -1))).isEqualTo(ExitCode.REFUSED);

        assertThat(errors.toString()).startsWith("sluice: ").contains(message).doesNotContain("at dev.");
        assertThat(out.toString()).isEmpty();
    }
}
