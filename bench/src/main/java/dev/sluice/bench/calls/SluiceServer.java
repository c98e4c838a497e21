package dev.sluice.bench.calls;

import dev.sluice.transfer.channel.ChannelListener;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.rpc.RpcRequest;
import dev.sluice.transfer.rpc.RpcServer;
import dev.sluice.transfer.rpc.RpcSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** The server of our own calls. */
final class SluiceServer implements CallServer {
    private final CallShape shape;
    private final Payload payload;
    private final ChannelKeys keys;
    private final ChannelListener listener;

    SluiceServer(CallShape shape, Path directory) throws IOException {
        this.shape = shape;
        this.payload = Payload.of(shape);
        this.keys = new ChannelKeys(directory);
        this.listener = ChannelListener.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @Override
    public int port() {
        return ((InetSocketAddress) listener.address()).getPort();
    }

    @Override
    public void serve() throws IOException {
        try (keys;
                listener;
                SecureChannel channel = keys.accept(listener)) {
            new RpcServer(channel, RpcSettings.DEFAULT, this::respond).serve();
        }
    }

    private void respond(RpcRequest request) throws IOException {
        payload.check(request.input());
        payload.write(request.reply(shape.responseBytes()));
    }
}
