package dev.sluice.transfer.move;

import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.tree.Filters;
import dev.sluice.transfer.tree.SourceTree;
import dev.sluice.transfer.tree.TransferException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Transfers between two directories over wires in memory, and listings of trees by find(1) and sha256sum(1). */
final class Trees {
    static final byte[] ID = new byte[16];

    private Trees() {}

    /**
     * The result of a transfer.
     *
     * @param events what the target reported
     * @param sent the bytes of contents that the source sent
     */
    record Result(TransferSummary summary, List<TransferEvent> events, long sent) {
        long count(Class<? extends TransferEvent> kind) {
            return events.stream().filter(kind::isInstance).count();
        }
    }

    static Result pull(Path from, Path to, ReceiverOptions options) throws TransferException {
        return pull(from, to, options, Long.MAX_VALUE);
    }

    /** Pulls the contents of a directory; the wires break when some bytes have passed. */
    static Result pull(Path from, Path to, ReceiverOptions options, long bytesUntilCut) throws TransferException {
        try (SourceTree tree = SourceTree.contentsOf(from, Filters.NONE)) {
            return pull(tree, to, options, bytesUntilCut);
        }
    }

    static Result pull(SourceTree tree, Path to, ReceiverOptions options, long bytesUntilCut) throws TransferException {
        AtomicLong left = new AtomicLong(bytesUntilCut);
        Sender sender = new Sender(tree, BandwidthLimit.NONE);
        List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
        List<TransferEvent> events = new ArrayList<>();
        StreamFactory streams = number -> {
            PipeWire[] ends = PipeWire.pair(left);
            threads.add(Thread.ofPlatform().name("serving").start(() -> serve(sender, ends[1])));
            return ends[0];
        };
        try {
            Receiver receiver = new Receiver(to, options, events::add);
            TransferSummary summary = receiver.pull(streams.open(0), ID, streams.with(Reconnection.NONE));
            return new Result(summary, events, sender.progress().snapshot().bytesTransferred());
        } catch (TransferException e) {
            throw e;
        } catch (IOException e) {
            throw new AssertionError(e);
        } finally {
            Sender.joinAll(threads);
        }
    }

    /** Serves a stream; the target reports how it ends. */
    static void serve(Sender sender, PipeWire wire) {
        try {
            sender.serve(wire);
        } catch (TransferException reported) {
            // by the target
        }
    }

    /** Returns names, kinds, permissions, times, sizes, link targets and hashes of a tree. */
    static String listing(Path directory) {
        return shell(
                directory,
                "find . -mindepth 1 -printf '%P|%y|%m|%T@|%l|' \\( -type f -printf '%s' -o -true \\) -printf '\\n'"
                        + " | LC_ALL=C sort; find . -type f -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum");
    }

    static String shell(Path directory, String command) {
        try {
            Process process = new ProcessBuilder("bash", "-ec", command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            if (process.waitFor() != 0) {
                throw new AssertionError(command + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    static byte[] random(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static void write(Path file, byte[] bytes) throws IOException {
        Path parent = file.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.write(file, bytes);
    }
}
