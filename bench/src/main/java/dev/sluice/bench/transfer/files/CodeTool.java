package dev.sluice.bench.transfer.files;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.Ports;
import dev.sluice.bench.process.Program;
import dev.sluice.bench.process.Site;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A tool whose two sides meet at a server by a one-time code; the server runs on loopback. The time is that from the
 * start of the sender to the end of the receiver.
 */
final class CodeTool implements Mover {
    /** The tools. */
    enum Kind {
        CROC("croc", "croc", "croc, or: go install github.com/schollz/croc/v10@latest"),
        WORMHOLE(
                "magic-wormhole",
                "wormhole",
                "magic-wormhole, or: pip install magic-wormhole magic-wormhole-mailbox-server");

        private final String title;
        private final String program;
        private final String source;

        Kind(String title, String program, String source) {
            this.title = title;
            this.program = program;
            this.source = source;
        }

        private Program program() {
            return new Program(program, source);
        }
    }

    private static final int POLL_MILLIS = 5;
    private static final int SENDER_SECONDS_MAX = 30;

    private final Kind kind;
    private final Site site;
    private final Path root;
    private final int port = Ports.free();
    private @Nullable ManagedProcess server;
    private int codes;

    CodeTool(Kind kind, Site site, Path root) {
        this.kind = kind;
        this.site = site;
        this.root = root;
    }

    @Override
    public Identity identity() {
        return Identity.of(kind.title, Role.PEER);
    }

    @Override
    public void start() throws InterruptedException {
        Path program = kind.program()
                .find()
                .orElseThrow(() -> new BenchException(kind.program().missing()));
        List<String> command = switch (kind) {
            case CROC -> List.of(program.toString(), "relay", "--host", "127.0.0.1", "--port", Integer.toString(port));
            case WORMHOLE ->
                List.of(
                        program.resolveSibling("twist").toString(),
                        "wormhole-mailbox",
                        "--port=tcp:" + port + ":interface=127.0.0.1",
                        "--usage-db=" + site.directory().resolve("usage.sqlite"),
                        "--channel-db=" + site.directory().resolve("channels.sqlite"));
        };
        ManagedProcess started = ManagedProcess.start(kind.title, command, Map.of(), log("server"));
        server = started;
        Ports.await(started, port);
    }

    @Override
    public long move(Workload workload, Path into) throws InterruptedException {
        codes++;
        Map<String, String> environment = new HashMap<>();
        String code = codes + "-sluice-bench";
        if (kind == Kind.CROC) {
            environment.put("CROC_SECRET", code);
        }
        String from = root.resolve(workload.name()).toString();
        long begin = System.nanoTime();
        try (ManagedProcess sender =
                ManagedProcess.start(kind.title + " send", command(sending(code, from)), environment, log("send"))) {
            if (kind == Kind.CROC) {
                awaitCode(sender);
            }
            TimedCommand.run(kind.title, command(receiving(code, into)), environment, log("receive"));
            long nanos = System.nanoTime() - begin;
            sender.requireSuccess();
            return nanos;
        }
    }

    /** Waits until a sender of croc shows its code; a receiver that comes earlier takes the sender's place. */
    private static void awaitCode(ManagedProcess sender) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SENDER_SECONDS_MAX);
        while (!sender.logTail().contains("Code is")) {
            sender.requireAlive();
            if (System.nanoTime() > deadline) {
                throw new BenchException("croc send shows no code:\n" + sender.logTail());
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(kind.program));
        command.addAll(
                kind == Kind.CROC
                        ? List.of("--yes", "--overwrite", "--relay", "127.0.0.1:" + port)
                        : List.of(
                                "--relay-url=ws://127.0.0.1:" + port + "/v1",
                                "--transit-helper=tcp:127.0.0.1:" + port));
        command.addAll(arguments);
        return command;
    }

    private List<String> sending(String code, String from) {
        return kind == Kind.CROC
                ? List.of("send", "--no-local", from)
                : List.of("send", "--hide-progress", "--code=" + code, from);
    }

    private List<String> receiving(String code, Path into) {
        return kind == Kind.CROC
                ? List.of("--out", into.toString())
                : List.of("receive", "--hide-progress", "--accept-file", "-o", into + "/", code);
    }

    private Path log(String name) {
        return site.directory().resolve(kind.name() + "-" + name + ".log");
    }

    @Override
    public void close() {
        ManagedProcess running = server;
        if (running != null) {
            running.close();
            server = null;
        }
    }
}
