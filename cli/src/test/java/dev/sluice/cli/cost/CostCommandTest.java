package dev.sluice.cli.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cost.figures.CostException;
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

/** Tests of the command's rejected arguments. A whole measurement has its own test. */
class CostCommandTest {
    private final StringWriter out = new StringWriter();

    @TempDir
    private Path directory;

    private String refused(String... arguments) {
        CommandLine command = new CommandLine(new CostCommand());
        command.setOut(new PrintWriter(out, true));
        String[] message = {""};
        command.setExecutionExceptionHandler((thrown, _, _) -> {
            assertThat(thrown).isInstanceOf(CostException.class);
            message[0] = String.valueOf(thrown.getMessage());
            return 2;
        });
        assertThat(command.execute(arguments)).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        return message[0];
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rounds 0|--rounds must be 1 to 1000, not 0",
                "--from absent.json|absent.json does not exist",
                "plan --tls 1.1|--tls must be 1.2 or 1.3, not 1.1",
                "plan --certificate dsa|--certificate must be one of rsa-2048",
                "plan --engine kernel|direct or memory, not kernel",
                "plan --cipher rc4|--cipher must be",
                "plan --tickets 9|0 to 8, not 9",
                "plan --down fast|--down must be a number of bytes such as 500k",
                "plan --up 1T|--up must be",
                "plan --resumption 90|must be 0 to 1, not 90",
                "plan --record 20000|1 to 16384, not 20000",
                "plan --connections -1|--connections must be 0 or more, not -1",
                "plan --tls 1.2 --post-quantum|TLS 1.3",
                "plan --handshake-time -1|must be 0 or more, not -1",
                "plan --metrics absent.txt|absent.txt cannot be read",
                "plan --metrics http://127.0.0.1:1/metrics|cannot be asked",
                "plan --metrics page --seconds 0|--seconds must be more than 0"
            })
    void rejectsInvalidArgumentsWithTheReason(String arguments, String reason) {
        assertThat(refused(arguments.split(" ", -1))).contains(reason);
    }

    @Test
    void rejectsAGarbledMeasurement() throws IOException {
        Path file = Files.writeString(directory.resolve("bad.json"), "{\"format\": 7}");

        assertThat(refused("plan", "--from", file.toString())).contains("bad.json", "format is 7", "sluice cost");
    }

    @Test
    void parsesBytesWithUnits() {
        assertThat(ByteCount.parse("--down", "1.5k")).isEqualTo(1500);
        assertThat(ByteCount.parse("--down", "2G")).isEqualTo(2e9);
        assertThat(ByteCount.parse("--down", "7")).isEqualTo(7);
    }
}
