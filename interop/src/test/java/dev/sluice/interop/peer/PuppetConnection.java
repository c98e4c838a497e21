package dev.sluice.interop.peer;

import dev.sluice.testkit.Waiting;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A puppet's process: orders go to its standard input, as {@code src/test/c/puppet.h} tells. */
final class PuppetConnection implements PeerConnection {
    private static final Duration LIMIT = Waiting.LIMIT;

    private final Process process;
    private final DataOutputStream orders;
    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<String> connected = new CompletableFuture<>();
    private final CompletableFuture<PeerEnd> end = new CompletableFuture<>();
    private volatile int updates;

    private PuppetConnection(Process process) {
        this.process = process;
        this.orders = new DataOutputStream(process.getOutputStream());
        Thread.ofVirtual().name("puppet").start(this::listen);
    }

    /** Starts it, and waits for its handshake. */
    static PuppetConnection start(List<String> line, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().putAll(environment);
        PuppetConnection puppet = new PuppetConnection(builder.start());
        try {
            puppet.suite();
            return puppet;
        } catch (Throwable failure) {
            puppet.close();
            throw failure;
        }
    }

    @Override
    public String suite() {
        try {
            return await(connected);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void write(byte[] bytes, int from, int to) throws IOException {
        orders.writeByte('W');
        orders.writeInt(to - from);
        orders.write(bytes, from, to - from);
        orders.flush();
    }

    @Override
    public void updateKeys(boolean ask) throws IOException {
        order(ask ? 'K' : 'k');
    }

    @Override
    public void closeNotify() throws IOException {
        order('C');
    }

    @Override
    public void endStream() throws IOException {
        order('F');
    }

    @Override
    public void reset() throws IOException {
        order('R');
    }

    private void order(char letter) throws IOException {
        orders.writeByte(letter);
        orders.flush();
    }

    @Override
    public InputStream received() {
        return process.getInputStream();
    }

    @Override
    public PeerEnd awaitEnd() throws InterruptedException {
        return await(end);
    }

    @Override
    public int updatesReceived() {
        return updates;
    }

    @Override
    public String trouble() {
        return String.join("\n", told);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void listen() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            String line;
            while ((line = lines.readLine()) != null) {
                told.add(line);
                understand(line.split(" ", -1));
            }
        } catch (IOException e) {
            told.add(e.toString());
        }
        AssertionError gone = new AssertionError("the puppet ended: " + trouble());
        connected.completeExceptionally(gone);
        end.completeExceptionally(gone);
    }

    private void understand(String[] words) {
        switch (words[0]) {
            case "connected" -> connected.complete(words[2]);
            case "updates" -> updates = Integer.parseInt(words[1]);
            case "end" -> end.complete(PeerEnd.valueOf(words[1].toUpperCase(Locale.ROOT)));
            default -> {
                // Trouble, which stands in what was told.
            }
        }
    }

    private <T> T await(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(trouble(), e);
        } catch (TimeoutException e) {
            throw new AssertionError("nothing from the puppet within " + LIMIT + ": " + trouble(), e);
        }
    }
}
