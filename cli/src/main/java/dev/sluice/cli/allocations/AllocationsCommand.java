package dev.sluice.cli.allocations;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.StandardOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that reports who allocates native memory in a running JVM. */
@Command(
        name = "allocations",
        description = {
            "Reports which call paths allocate native memory in a running JVM, with their bytes: direct buffers, "
                    + "arenas, copies for I/O, and sun.misc.Unsafe.",
            "It attaches to the process, which must run Java 25 or later as the same user, and adds a call to four "
                    + "classes of its JDK until the recording ends. The JVM warns on its standard error that an agent "
                    + "was loaded. What C code allocates is not seen."
        },
        footer = {"", "Exit code: 0 with a report, 2 when refused."})
public final class AllocationsCommand implements Callable<Integer> {
    private static final int LEAST_VERSION = 25;

    @Parameters(paramLabel = "PID", description = "The process, as jps lists it.")
    private long pid;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            description = "Duration of the recording (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--paths",
            paramLabel = "N",
            defaultValue = "10",
            description = "Number of paths, those with the most bytes (default: ${DEFAULT-VALUE}).")
    private int paths;

    @Option(
            names = "--frames",
            paramLabel = "N",
            defaultValue = "12",
            description = "Methods of a path, from the allocation outwards (default: ${DEFAULT-VALUE}).")
    private int frames;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "5000",
            description = "Maximum stack traces per second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Override
    public Integer call() throws IOException {
        requirePositive("--seconds", seconds);
        requirePositive("--paths", paths);
        requirePositive("--frames", frames);
        requirePositive("--rate", rate);
        Path directory = Files.createTempDirectory("sluice-allocations-");
        Path recording = directory.resolve("recording.jfr");
        try {
            record(AgentJar.write(directory), recording);
            PrintWriter out = standard.out();
            AllocationPaths.read(recording, frames).lines(seconds, paths).forEach(out::println);
            out.flush();
        } finally {
            Files.deleteIfExists(recording);
            Files.deleteIfExists(AgentJar.in(directory));
            Files.delete(directory);
        }
        return ExitCode.OK;
    }

    private void record(Path jar, Path recording) {
        try {
            VirtualMachine jvm = VirtualMachine.attach(Long.toString(pid));
            try {
                requireVersion(jvm.getSystemProperties().getProperty("java.specification.version"));
                jvm.loadAgent(jar.toString(), seconds + " " + rate + " " + recording);
            } finally {
                jvm.detach();
            }
        } catch (AttachNotSupportedException | IOException e) {
            throw new RefusedException("cannot attach to process " + pid + ": " + e.getMessage()
                    + "; it must be a JVM of the same user, without -XX:+DisableAttachMechanism");
        } catch (AgentLoadException | AgentInitializationException e) {
            throw new RefusedException("process " + pid + " refused the agent: " + e.getMessage()
                    + "; it must run with -XX:+EnableDynamicAgentLoading and the module jdk.jfr, and its standard error"
                    + " has the cause");
        }
    }

    private void requireVersion(String version) {
        if (Double.parseDouble(version) < LEAST_VERSION) {
            throw new RefusedException("process " + pid + " runs Java " + version + "; Java " + LEAST_VERSION
                    + " or later is required, whose recordings limit the rate of events");
        }
    }

    private static void requirePositive(String option, int value) {
        if (value < 1) {
            throw new RefusedException(option + " must be at least 1, not " + value);
        }
    }
}
