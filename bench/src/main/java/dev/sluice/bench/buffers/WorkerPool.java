package dev.sluice.bench.buffers;

import dev.sluice.bench.buffers.work.BufferWorker;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.PeerLibraries;
import dev.sluice.bench.process.Site;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The processes of the workers. */
final class WorkerPool implements AutoCloseable {
    private final Site site;
    private final Map<WorkerSetup, AskedProcess> running = new HashMap<>();

    WorkerPool(Site site) {
        this.site = site;
    }

    /** Returns a running process; starts it if there is none, or if it has died. */
    AskedProcess running(WorkerSetup setup) {
        AskedProcess process = running.get(setup);
        if (process == null || !process.alive()) {
            process = start(setup);
            running.put(setup, process);
        }
        return process;
    }

    /** Ends a process, if it is running. */
    void end(WorkerSetup setup) {
        AskedProcess process = running.remove(setup);
        if (process != null) {
            process.close();
        }
    }

    /** Returns the place of a file of a worker. */
    Path file(String worker, String suffix) {
        return site.directory().resolve(worker.replaceAll("[^A-Za-z0-9]+", "-") + suffix);
    }

    /** Returns the directory for the files of tasks. */
    Path directory() {
        return site.directory();
    }

    private AskedProcess start(WorkerSetup setup) {
        List<String> command =
                JavaCommand.onClassPath(setup.flags(), PeerLibraries.classPath(), BufferWorker.class.getName());
        return AskedProcess.start(
                setup.name(),
                setup.placement() == WorkerSetup.Placement.ONE_CORE
                        ? site.cores().onServerCore(command)
                        : command,
                Map.of(),
                file(setup.name(), ".log"));
    }

    @Override
    public void close() {
        running.values().forEach(AskedProcess::close);
    }
}
