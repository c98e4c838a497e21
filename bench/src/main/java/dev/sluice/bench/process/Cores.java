package dev.sluice.bench.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The cores of the servers and of the load.
 *
 * @param server the core of the server under test, including its JIT and collector threads
 * @param load the core of the load generator and the backend
 * @param taskset the program that pins processes; null for no pinning
 */
public record Cores(int server, int load, @Nullable Path taskset) {
    private static final Program TASKSET = new Program("taskset", "util-linux");

    /** Returns the first two cores available to this process; one for both if there is only one. */
    public static Cores choose() {
        List<Integer> allowed = allowed();
        return new Cores(
                allowed.getFirst(),
                allowed.get(Math.min(1, allowed.size() - 1)),
                TASKSET.find().orElse(null));
    }

    /** Returns a command that runs on the servers' core. */
    public List<String> onServerCore(List<String> command) {
        return pinned(server, command);
    }

    /** Returns a command that runs on the load's core. */
    public List<String> onLoadCore(List<String> command) {
        return pinned(load, command);
    }

    /** Returns the placement for display, with its weaknesses. */
    public String describe() {
        if (taskset == null) {
            return "not pinned: " + TASKSET.missing();
        }
        String where = String.format(Locale.ROOT, "servers on core %d, load and backend on core %d", server, load);
        return server == load ? where + ": one core for both, so rates are unreliable" : where;
    }

    /** Returns the placement for measurements without a load. */
    public String describeServer() {
        return taskset == null ? "not pinned: " + TASKSET.missing() : "all measured processes on core " + server;
    }

    private List<String> pinned(int core, List<String> command) {
        if (taskset == null) {
            return command;
        }
        List<String> pinned = new ArrayList<>(List.of(taskset.toString(), "-c", Integer.toString(core)));
        pinned.addAll(command);
        return pinned;
    }

    private static List<Integer> allowed() {
        try {
            String status = ProcFiles.read(Path.of("/proc/self/status"));
            String list = status.lines()
                    .filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .findFirst()
                    .orElse("Cpus_allowed_list: 0");
            return ProcFiles.cpuList(list.substring(list.indexOf(':') + 1));
        } catch (IOException e) {
            return List.of(0);
        }
    }
}
