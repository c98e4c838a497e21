package dev.sluice.bench.buffers.work;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Buffers that one thread allocates and another one frees, which receives them in batches. */
final class HandOffTask<B> implements MeasuredTask {
    private static final int BATCH = 64;
    private static final int BATCHES = 4;

    private final BufferSource<B> source;
    private final BlockingQueue<List<B>> full = new ArrayBlockingQueue<>(BATCHES);
    private final BlockingQueue<List<B>> empty = new ArrayBlockingQueue<>(BATCHES);
    private final Thread consumer;

    private HandOffTask(BufferSource<B> source) {
        this.source = source;
        for (int i = 0; i < BATCHES; i++) {
            empty.add(new ArrayList<>(BATCH));
        }
        this.consumer = Thread.ofPlatform().name("free").daemon().start(this::freeUntilInterrupted);
    }

    static HandOffTask<?> of(BufferKind kind, int byteSize) {
        return new HandOffTask<>(kind.open(byteSize, BATCH * BATCHES));
    }

    @Override
    public void run(int times) throws InterruptedException {
        List<B> batch = empty.take();
        for (int i = times; i > 0; i--) {
            B buffer = source.allocate();
            source.touch(buffer);
            batch.add(buffer);
            if (batch.size() == BATCH) {
                full.put(batch);
                batch = empty.take();
            }
        }
        full.put(batch);
    }

    private void freeUntilInterrupted() {
        try {
            while (true) {
                List<B> batch = full.take();
                batch.forEach(source::free);
                batch.clear();
                empty.put(batch);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // The task has ended.
        }
    }

    @Override
    public void end() throws InterruptedException {
        for (int i = 0; i < BATCHES; i++) {
            empty.take(); // Until every buffer is freed.
        }
        consumer.interrupt();
        consumer.join();
        source.close();
    }
}
