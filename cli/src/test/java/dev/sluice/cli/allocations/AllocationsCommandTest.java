package dev.sluice.cli.allocations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.SluiceCommand;
import dev.sluice.cli.command.ExitCode;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class AllocationsCommandTest {
    private static final String USER = NativeMemoryUser.class.getName();

    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = SluiceCommand.line();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(errors, true));
        return command.execute(arguments);
    }

    private static RunningProgram startUser(String... options) throws URISyntaxException {
        Path classes = Path.of(NativeMemoryUser.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        String[] arguments = new String[options.length + 3];
        System.arraycopy(options, 0, arguments, 0, options.length);
        arguments[options.length] = "-cp";
        arguments[options.length + 1] = classes.toString();
        arguments[options.length + 2] = USER;
        return ForeignProgram.at(Path.of(System.getProperty("java.home"), "bin", "java"))
                .command(arguments)
                .start();
    }

    /** The second report shows that the first has left the program as it was. */
    @Test
    void reportsThePathsOfARunningProgramTwice() throws URISyntaxException {
        try (RunningProgram user = startUser()) {
            user.awaitOutput("allocating", Waiting.LIMIT);
            for (int time = 0; time < 2; time++) {
                out.getBuffer().setLength(0);

                assertThat(run("allocations", "--seconds", "1", Long.toString(user.pid())))
                        .as(errors.toString())
                        .isEqualTo(ExitCode.OK);

                assertThat(out.toString()).contains(" native allocations within 1 s");
                assertPath("ByteBuffer.allocateDirect", "direct", NativeMemoryUser.DIRECT_BYTES);
                assertPath("Arena.allocate", "arena", NativeMemoryUser.ARENA_BYTES);
                assertThat(pathOf("copy of a heap buffer for I/O").group("frames"))
                        .contains(USER + ".channel:");
            }
            assertThat(user.isRunning()).isTrue();
        }
    }

    @Test
    void estimatesFromASampleWhereThereAreMoreThanTheRate() throws URISyntaxException {
        try (RunningProgram user = startUser()) {
            user.awaitOutput("allocating", Waiting.LIMIT);

            assertThat(run("allocations", "--seconds", "1", "--rate", "10", "--paths", "1", Long.toString(user.pid())))
                    .as(errors.toString())
                    .isEqualTo(ExitCode.OK);

            assertThat(out.toString()).contains("Paths are from a sample of ");
        }
    }

    private void assertPath(String source, String method, int bytes) {
        Matcher path = pathOf(source);
        assertThat(path.group("frames")).contains(USER + "." + method + ":", USER + ".main:");
        double count = Double.parseDouble(path.group("count").replace(",", ""));
        double total = Double.parseDouble(path.group("size")) * ("MiB".equals(path.group("unit")) ? 1 << 20 : 1 << 10);
        assertThat(total / count).isBetween(bytes * 0.9, bytes * 1.1);
    }

    private Matcher pathOf(String source) {
        Matcher path = Pattern.compile("(?<size>[\\d.]+) (?<unit>[KMG]iB) \\([^)]*\\) in (?<count>[\\d,]+): "
                        + Pattern.quote(source) + "\n(?<frames>(?:    .*\n)+)")
                .matcher(out.toString());
        assertThat(path.find()).as(out.toString()).isTrue();
        return path;
    }

    @Test
    void aJvmThatDisallowsAgentsIsRefused() throws URISyntaxException {
        try (RunningProgram user = startUser("-XX:-EnableDynamicAgentLoading")) {
            user.awaitOutput("allocating", Waiting.LIMIT);

            assertThat(run("allocations", "--seconds", "1", Long.toString(user.pid())))
                    .isEqualTo(ExitCode.REFUSED);

            assertThat(errors.toString()).contains("refused the agent", "-XX:+EnableDynamicAgentLoading");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2147483600|cannot attach to process 2147483600: ",
                "abc|Invalid value for positional parameter at index 0 (PID): 'abc'",
                "--seconds 0 1|--seconds must be at least 1, not 0",
                "--paths 0 1|--paths must be at least 1, not 0",
                "--frames -1 1|--frames must be at least 1, not -1",
                "--rate 0 1|--rate must be at least 1, not 0"
            })
    void rejectsInvalidArgumentsWithTheReason(String arguments, String reason) {
        assertThat(run(("allocations " + arguments).split(" ", -1))).isEqualTo(ExitCode.REFUSED);
        assertThat(errors.toString()).contains(reason);
    }
}
