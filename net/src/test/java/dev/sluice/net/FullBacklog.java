package dev.sluice.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** A listening socket whose backlog is full: the kernel drops further connects, which stay unanswered. */
final class FullBacklog implements AutoCloseable {
    private static final int FILLERS = 4;

    private final ServerSocket listening = new ServerSocket();
    private final List<SocketChannel> fillers = new ArrayList<>();

    FullBacklog(InetSocketAddress address) throws IOException {
        listening.bind(address, 1);
        for (int i = 0; i < FILLERS; i++) {
            SocketChannel filler = SocketChannel.open();
            filler.configureBlocking(false);
            filler.connect(address);
            fillers.add(filler);
        }
    }

    SocketAddress address() {
        return listening.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel filler : fillers) {
            filler.close();
        }
        listening.close();
    }
}
