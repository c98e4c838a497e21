package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.Ports;
import dev.sluice.bench.process.Program;
import dev.sluice.bench.process.Site;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A copy over loopback by nc(1), a directory by tar(1) at both ends: no encryption, and nobody checks what comes. */
record NetcatCopy(Site site, Path root) implements Mover {
    private static final Program NC = new Program("nc", "netcat-openbsd");
    private static final String RECEIVE_FILE = "nc -l 127.0.0.1 $0 > \"$2/$1\"";
    private static final String RECEIVE_TREE = "nc -l 127.0.0.1 $0 | tar -x -C \"$2\"";
    private static final String SEND_FILE = "nc -N 127.0.0.1 $0 < \"$2/$1\"";
    private static final String SEND_TREE = "tar -c -C \"$2\" \"$1\" | nc -N 127.0.0.1 $0";

    @Override
    public Identity identity() {
        return Identity.of("nc", Role.FLOOR);
    }

    @Override
    public void start() {
        if (NC.find().isEmpty()) {
            throw new BenchException(NC.missing());
        }
    }

    @Override
    public long move(Workload workload, Path into) throws InterruptedException {
        boolean file = workload.files() == 1;
        int port = Ports.free();
        try (ManagedProcess receiver = ManagedProcess.start(
                "nc -l",
                shell(file ? RECEIVE_FILE : RECEIVE_TREE, port, workload, into),
                Map.of(),
                site.directory().resolve("nc-receiver.log"))) {
            Ports.awaitListening(receiver, port);
            long begin = System.nanoTime();
            TimedCommand.run(
                    "nc",
                    shell(file ? SEND_FILE : SEND_TREE, port, workload, root),
                    Map.of(),
                    site.directory().resolve("nc-sender.log"));
            receiver.requireSuccess();
            return System.nanoTime() - begin;
        }
    }

    private static List<String> shell(String script, int port, Workload workload, Path directory) {
        return List.of("sh", "-c", script, Integer.toString(port), workload.name(), directory.toString());
    }

    @Override
    public void close() {
        // Each copy has a receiver of its own.
    }
}
