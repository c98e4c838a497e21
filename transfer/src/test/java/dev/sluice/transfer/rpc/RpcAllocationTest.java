package dev.sluice.transfer.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.AllocatedBytes;
import dev.sluice.transfer.channel.ChannelException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls allocate nothing on the calling, the receiving and the serving thread, also when they fill several batches. */
@Timeout(300)
class RpcAllocationTest {
    private static final int BYTES_MAX = 512 * 1024;
    private static final int DEPTH = 8;
    private static final int CALLS = 400;
    private static final int ROUNDS_MAX = 100;

    private final RpcCall[] window = new RpcCall[DEPTH];
    private final MemorySegment payload = Arena.global().allocate(BYTES_MAX);
    private int requestBytes;
    private int responseBytes;
    private long received;

    /** Counted by each thread for itself, in a handler; read by the calling one after its join. */
    private volatile long byServer;

    private volatile long byReceiver;

    @ParameterizedTest
    @CsvSource({"20000, 40000", "32, 524288", "524288, 524288"})
    void strictAndPipelinedCallsAllocateNothing(int request, int response) throws Exception {
        requestBytes = request;
        responseBytes = response;
        Peers peers = Peers.open();
        CompletableFuture<Void> served = Peers.async(() -> {
            new RpcServer(peers.server(), RpcSettings.DEFAULT, this::respond).serve();
            return null;
        });
        RpcAnswerHandler handler = this::receive;
        try (RpcClient client = new RpcClient(peers.client(), RpcSettings.DEFAULT)) {
            strict(client, handler);
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS_MAX && least > 0; round++) {
                long before = AllocatedBytes.byThisThread() + byServer + byReceiver;
                strict(client, handler);
                pipelined(client, handler);
                least = Math.min(least, AllocatedBytes.byThisThread() + byServer + byReceiver - before);
            }
            assertThat(least).isZero();
            assertThat(received % responseBytes).isZero();
        } finally {
            served.join();
            peers.close();
        }
    }

    private void receive(RpcInput response) throws ChannelException {
        while (response.remaining() > 0) {
            int count = response.contiguous();
            response.taken(count);
            received += count;
        }
        byReceiver = AllocatedBytes.byThisThread();
    }

    private void strict(RpcClient client, RpcAnswerHandler handler) throws IOException {
        for (int i = 0; i < CALLS; i++) {
            try (RpcCall call = begin(client, handler)) {
                call.send();
                call.join();
            }
        }
    }

    private void pipelined(RpcClient client, RpcAnswerHandler handler) throws IOException {
        for (int i = 0; i < CALLS; i++) {
            if (i >= DEPTH) {
                window[i % DEPTH].join();
                window[i % DEPTH].close();
            }
            window[i % DEPTH] = begin(client, handler);
            window[i % DEPTH].send();
        }
        for (RpcCall call : window) {
            call.join();
            call.close();
        }
    }

    private RpcCall begin(RpcClient client, RpcAnswerHandler handler) throws IOException {
        RpcCall call = client.begin(1, requestBytes, 10_000, handler);
        fill(call.output());
        return call;
    }

    private void respond(RpcRequest request) throws IOException {
        while (request.input().remaining() > 0) {
            request.input().taken(request.input().contiguous());
        }
        fill(request.reply(responseBytes));
        byServer = AllocatedBytes.byThisThread();
    }

    private void fill(RpcOutput out) throws ChannelException {
        out.put(payload, 0, out.remaining());
    }
}
