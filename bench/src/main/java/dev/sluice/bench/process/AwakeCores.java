package dev.sluice.bench.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Cores that do not sleep: on each a process of {@link Priority#IDLE} yields without end until this is closed. To wake
 * a virtual core that sleeps takes its host tens of microseconds and more, which a quiet server's latencies would
 * contain, and a busy one's would not.
 */
public final class AwakeCores implements AutoCloseable {
    private static final List<String> FLAGS =
            List.of("-Xms8m", "-Xmx16m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xint", "-Xlog:disable");

    private final ManagedProcess server;
    private final ManagedProcess load;

    private AwakeCores(ManagedProcess server, ManagedProcess load) {
        this.server = server;
        this.load = load;
    }

    /** Keeps the cores of servers and load awake. */
    public static AwakeCores keep(Cores cores) {
        String module = SpinMain.class.getModule().isNamed()
                ? SpinMain.class.getModule().getName()
                : "";
        List<String> command = JavaCommand.of(FLAGS, module, SpinMain.class.getName(), List.of());
        return new AwakeCores(spin(cores.onServerCore(command)), spin(cores.onLoadCore(command)));
    }

    private static ManagedProcess spin(List<String> command) {
        return ManagedProcess.start("spin", Priority.IDLE.of(command), Map.of(), Path.of("/dev/null"));
    }

    @Override
    public void close() {
        load.close();
        server.close();
    }
}
