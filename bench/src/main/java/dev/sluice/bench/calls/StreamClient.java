package dev.sluice.bench.calls;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.util.concurrent.Semaphore;

/** Requests and responses of fixed lengths; pipelined, one thread sends while another one receives. */
final class StreamClient implements CallClient {
    private final CallShape shape;
    private final StreamEnd end;

    StreamClient(CallShape shape, StreamEnd end) {
        this.shape = shape;
        this.end = end;
    }

    @Override
    public void run(int count) throws IOException {
        if (shape.depth() > 1) {
            pipeline(count);
            return;
        }
        for (int i = 0; i < count; i++) {
            end.send(shape.requestBytes());
            end.receive(shape.responseBytes());
        }
    }

    private void pipeline(int count) throws IOException {
        Semaphore window = new Semaphore(shape.depth());
        Thread sender = Thread.ofPlatform().daemon().start(() -> send(count, window));
        for (int i = 0; i < count; i++) {
            end.receive(shape.responseBytes());
            window.release();
        }
        try {
            sender.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(int count, Semaphore window) {
        try {
            for (int i = 0; i < count; i++) {
                window.acquireUninterruptibly();
                end.send(shape.requestBytes());
            }
        } catch (IOException e) {
            throw new BenchException("sending failed: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        end.close();
    }
}
