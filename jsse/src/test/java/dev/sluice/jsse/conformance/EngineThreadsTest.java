package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.Waiting;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Engines used by several threads, in turn and at once. */
@ParameterizedClass
@MethodSource("dev.sluice.jsse.conformance.ProviderPair#all")
final class EngineThreadsTest {
    private static final int RECORDS = 400;
    private static final int RECORD_BYTES = 4096;

    private final ProviderPair pair;

    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    EngineThreadsTest(ProviderPair pair) {
        this.pair = pair;
    }

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void eachStepMayRunOnAnotherThread() throws Exception {
        EngineLink link = pair.link();
        link.client().engine().beginHandshake();
        boolean progress = true;
        while (progress) {
            progress = run(link.client()::step);
            progress |= run(link.server()::step);
            progress |= link.deliver();
        }
        link.assertSucceeded();
        for (int i = 0; i < 10; i++) {
            run(() -> {
                link.assertCarriesData();
                return true;
            });
        }
        run(() -> {
            link.close();
            return true;
        });
        assertThat(link.client().engine().isInboundDone()).isTrue();
    }

    /** Runs on one of four threads, and returns when it is over. */
    private boolean run(Callable<Boolean> action) throws Exception {
        return await(threads.submit(action));
    }

    private static <T> T await(Future<T> future) throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void wrapAndUnwrapRunConcurrently() throws Exception {
        EngineLink link = pair.established();
        SSLEngine client = link.client().engine();
        SSLEngine server = link.server().engine();
        BlockingQueue<byte[]> toServer = new ArrayBlockingQueue<>(64);
        BlockingQueue<byte[]> toClient = new ArrayBlockingQueue<>(64);
        List<Future<Long>> directions = List.of(
                threads.submit(() -> wrapAll(client, toServer)),
                threads.submit(() -> wrapAll(server, toClient)),
                threads.submit(() -> unwrapAll(server, toServer)),
                threads.submit(() -> unwrapAll(client, toClient)));
        for (Future<Long> each : directions) {
            assertThat(await(each)).isEqualTo((long) RECORDS * RECORD_BYTES);
        }
        link.assertCarriesData();
    }

    private static long wrapAll(SSLEngine engine, BlockingQueue<byte[]> wire) throws Exception {
        byte[] data = new byte[RECORD_BYTES];
        long sum = 0;
        for (int i = 0; i < RECORDS; i++) {
            Arrays.fill(data, (byte) i);
            ByteBuffer target = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
            SSLEngineResult result = engine.wrap(ByteBuffer.wrap(data), target);
            assertThat(result.getStatus()).isEqualTo(SSLEngineResult.Status.OK);
            sum += result.bytesConsumed();
            wire.put(Arrays.copyOf(target.array(), target.position()));
        }
        return sum;
    }

    private static long unwrapAll(SSLEngine engine, BlockingQueue<byte[]> wire) throws Exception {
        ByteBuffer target = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        long sum = 0;
        for (int i = 0; i < RECORDS; i++) {
            SSLEngineResult result = engine.unwrap(ByteBuffer.wrap(wire.take()), target.clear());
            assertThat(result.getStatus()).isEqualTo(SSLEngineResult.Status.OK);
            assertThat(target.get(0)).isEqualTo((byte) i);
            assertThat(target.get(RECORD_BYTES - 1)).isEqualTo((byte) i);
            sum += result.bytesProduced();
        }
        return sum;
    }

    @Test
    void closeMayRaceWithWrap() throws Exception {
        for (int i = 0; i < 20; i++) {
            EngineLink link = pair.established();
            SSLEngine client = link.client().engine();
            Future<?> closing = threads.submit(client::closeOutbound);
            ByteBuffer target = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
            while (!client.isOutboundDone()) {
                client.wrap(ByteBuffer.allocate(10), target.clear());
            }
            await(closing);
            assertThat(client.wrap(ByteBuffer.allocate(1), target.clear()).getStatus())
                    .isEqualTo(SSLEngineResult.Status.CLOSED);
        }
    }

    @Test
    void handshakesRunInParallelOnOneContext() throws Exception {
        List<Future<Boolean>> all = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            all.add(threads.submit(() -> {
                for (int i = 0; i < 10; i++) {
                    EngineLink link = pair.established();
                    link.assertCarriesData();
                    link.close();
                }
                return true;
            }));
        }
        for (Future<Boolean> each : all) {
            assertThat(await(each)).isTrue();
        }
    }
}
