package dev.sluice.bench.calls;

import dev.sluice.transfer.rpc.RpcAnswerHandler;
import dev.sluice.transfer.rpc.RpcCall;
import dev.sluice.transfer.rpc.RpcClient;
import dev.sluice.transfer.rpc.RpcSettings;
import java.io.IOException;
import java.nio.file.Path;

/** The client of our own calls: one thread that calls, and the one that receives. */
final class SluiceClient implements CallClient {
    private static final int METHOD = 1;
    private static final long DEADLINE_MILLIS = 20_000;

    private final CallShape shape;
    private final Payload payload;
    private final RpcClient client;
    private final RpcCall[] inFlight;
    private final RpcAnswerHandler handler;

    SluiceClient(CallShape shape, Path directory, int port) throws IOException {
        this.shape = shape;
        this.payload = Payload.of(shape);
        this.handler = payload::check;
        this.inFlight = new RpcCall[shape.depth()];
        try (ChannelKeys keys = new ChannelKeys(directory)) {
            this.client = new RpcClient(keys.connect(port), RpcSettings.DEFAULT);
        }
    }

    @Override
    public void run(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            int slot = i % inFlight.length;
            if (i >= inFlight.length) {
                end(inFlight[slot]);
            }
            inFlight[slot] = begin();
        }
        for (int i = Math.max(0, count - inFlight.length); i < count; i++) {
            end(inFlight[i % inFlight.length]);
        }
    }

    private RpcCall begin() throws IOException {
        RpcCall call = client.begin(METHOD, shape.requestBytes(), DEADLINE_MILLIS, handler);
        payload.write(call.output());
        call.send();
        return call;
    }

    private static void end(RpcCall call) throws IOException {
        call.join();
        call.close();
    }

    @Override
    public void close() {
        client.close();
    }
}
