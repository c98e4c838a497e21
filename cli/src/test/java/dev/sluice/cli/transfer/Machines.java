package dev.sluice.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Main;
import dev.sluice.testkit.ForeignCommand;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.RunningProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Processes of the command as on several machines: each has a name, and a state directory of its own. */
final class Machines {
    /** The most time that a test waits for a process. */
    static final Duration LIMIT = Duration.ofSeconds(60);

    /** The end of what a command prints when it waits. */
    static final String WAITS = "Ctrl-C ends it";

    private final Path directory;

    Machines(Path directory) {
        this.directory = directory;
    }

    /** Returns the state directory of a machine. */
    Path state(String machine) {
        return directory.resolve("state-" + machine);
    }

    ForeignResult run(String machine, List<String> arguments) {
        return command(machine, arguments).within(LIMIT).run();
    }

    ForeignResult run(String machine, String... arguments) {
        return run(machine, List.of(arguments));
    }

    RunningProgram start(String machine, List<String> arguments) {
        return command(machine, arguments).start();
    }

    RunningProgram start(String machine, String... arguments) {
        return start(machine, List.of(arguments));
    }

    ForeignCommand command(String machine, List<String> arguments) {
        List<String> line = line(arguments);
        String[] rest = line.subList(1, line.size()).toArray(String[]::new);
        return on(machine, ForeignProgram.at(Path.of(line.getFirst())).command(rest));
    }

    /** Gives a command the state of a machine. */
    ForeignCommand on(String machine, ForeignCommand command) {
        return command.with("SLUICE_STATE_DIR", state(machine).toString());
    }

    /** Returns the line that runs the command: the JVM and its options first. */
    static List<String> line(List<String> arguments) {
        String modules = System.getProperty("jdk.module.path", "");
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path") + (modules.isEmpty() ? "" : ":" + modules)));
        String openSsl = System.getProperty("sluice.openssl");
        if (openSsl != null) {
            line.add("-Dsluice.openssl=" + openSsl);
        }
        line.add(Main.class.getName());
        line.addAll(arguments);
        return line;
    }

    /** Returns the fingerprint of a machine's key, which is created. */
    String fingerprint(String machine) {
        Matcher matcher =
                Pattern.compile("own key  (\\S+)").matcher(run(machine, "keys").output());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    String[] peerOf(String machine) {
        return new String[] {"--peer", fingerprint(machine)};
    }

    /** Returns the address that a server or a relay prints. */
    static String address(RunningProgram server) {
        server.awaitOutput(WAITS, LIMIT);
        Matcher matcher = Pattern.compile("ing on (\\S+?)\\.? ").matcher(server.output());
        assertThat(matcher.find()).as(server.output()).isTrue();
        return matcher.group(1);
    }

    /** Returns the words after "sluice" of the first line that a sender prints. */
    static List<String> lineToType(RunningProgram sender) {
        return linesToType(sender).getFirst();
    }

    /** Returns the words after "sluice" of all lines that a sender prints. */
    static List<List<String>> linesToType(RunningProgram sender) {
        sender.awaitOutput(WAITS, LIMIT);
        return sender.output()
                .lines()
                .map(String::strip)
                .filter(each -> each.startsWith("sluice receive "))
                .map(each -> List.of(each.substring("sluice ".length()).split(" ", -1)))
                .toList();
    }

    static List<String> with(List<String> line, String... more) {
        List<String> all = new ArrayList<>(line);
        all.addAll(List.of(more));
        return all;
    }
}
