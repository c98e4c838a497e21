package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.process.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A tool that copies from the loopback sshd. */
record SshTool(Kind kind, SshServer server, Path root) implements Mover {
    /** The tools. */
    enum Kind {
        RSYNC("rsync", "rsync"),
        SCP("scp", "openssh-client");

        private final String program;
        private final String debianPackage;

        Kind(String program, String debianPackage) {
            this.program = program;
            this.debianPackage = debianPackage;
        }

        private Program program() {
            return new Program(program, debianPackage);
        }
    }

    @Override
    public Identity identity() {
        return Identity.of(kind == Kind.RSYNC ? "rsync over ssh" : "scp", Role.PEER);
    }

    @Override
    public void start() throws InterruptedException {
        if (kind.program().find().isEmpty()) {
            throw new BenchException(kind.program().missing());
        }
        server.start();
    }

    @Override
    public long move(Workload workload, Path into) throws InterruptedException {
        String from = "127.0.0.1:" + root.resolve(workload.name());
        List<String> command = new ArrayList<>();
        if (kind == Kind.RSYNC) {
            command.addAll(List.of("rsync", "-a", "-e", "ssh " + String.join(" ", server.options("-p"))));
        } else {
            command.addAll(List.of("scp", "-q", "-r", "-p"));
            command.addAll(server.options("-P"));
        }
        command.addAll(List.of(from, into.toString()));
        return TimedCommand.run(
                identity().name(),
                command,
                server.environment(),
                server.directory().resolve(kind.name() + ".log"));
    }

    @Override
    public void close() {
        server.close();
    }
}
