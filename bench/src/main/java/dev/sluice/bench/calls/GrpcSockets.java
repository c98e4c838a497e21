package dev.sluice.bench.calls;

import dev.sluice.bench.record.path.JdkEngines;
import dev.sluice.transfer.channel.ChannelListener;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.rpc.ChannelServerSocket;
import dev.sluice.transfer.rpc.ChannelStreamSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocket;

/** The two kinds of sockets under gRPC: channels, and the JDK's TLS. */
final class GrpcSockets {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private GrpcSockets() {}

    // ---- channels

    /** Connects by channels, whose keys are in a directory. */
    static CallClient overChannel(CallShape shape, Path directory, int port) {
        return new GrpcClient(shape, port, new Connecting(() -> {
            try (ChannelKeys keys = new ChannelKeys(directory)) {
                return new ChannelStreamSocket(keys.connect(port), new InetSocketAddress(LOOPBACK.getAddress(), port));
            }
        }));
    }

    /** Listens for one channel. */
    static CallServer channelServer(CallShape shape, Path directory) throws IOException {
        ChannelListener listener = ChannelListener.open(LOOPBACK);
        InetSocketAddress address = (InetSocketAddress) listener.address();
        ChannelServerSocket accepted = new ChannelServerSocket(address);
        GrpcServer server = new GrpcServer(shape, address, new Accepting(accepted));
        return new CallServer() {
            @Override
            public int port() {
                return address.getPort();
            }

            @Override
            public void serve() throws IOException {
                try (listener;
                        ChannelKeys keys = new ChannelKeys(directory)) {
                    SecureChannel channel = keys.accept(listener);
                    accepted.add(channel, address);
                    server.serve();
                }
            }
        };
    }

    // ---- the JDK's TLS

    /** Connects by TLS of the JDK. */
    static CallClient overTls(CallShape shape, JdkEngines engines, int port) {
        return new GrpcClient(shape, port, new Connecting(() -> {
            SSLSocket socket =
                    (SSLSocket) engines.context().getSocketFactory().createSocket(LOOPBACK.getAddress(), port);
            socket.setSSLParameters(engines.parameters(socket.getSSLParameters()));
            socket.setTcpNoDelay(true);
            return socket;
        }));
    }

    /** Listens for TLS of the JDK; the client chooses version and suite. */
    static CallServer tlsServer(CallShape shape, JdkEngines engines) throws IOException {
        return new GrpcServer(shape, LOOPBACK, engines.context().getServerSocketFactory());
    }

    // ---- factories

    /** A way to connect to the server. */
    private interface Connector {
        Socket connect() throws IOException;
    }

    /** A factory of client sockets. */
    private static final class Connecting extends SocketFactory {
        private final Connector connector;

        Connecting(Connector connector) {
            this.connector = connector;
        }

        @Override
        public Socket createSocket() throws IOException {
            return connector.connect();
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return connector.connect();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress own, int ownPort) throws IOException {
            return connector.connect();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return connector.connect();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress own, int ownPort) throws IOException {
            return connector.connect();
        }
    }

    /** A factory that returns the socket of accepted channels. */
    private static final class Accepting extends ServerSocketFactory {
        private final ServerSocket socket;

        Accepting(ChannelServerSocket socket) {
            this.socket = socket;
        }

        @Override
        public ServerSocket createServerSocket() {
            return socket;
        }

        @Override
        public ServerSocket createServerSocket(int port) {
            return socket;
        }

        @Override
        public ServerSocket createServerSocket(int port, int backlog) {
            return socket;
        }

        @Override
        public ServerSocket createServerSocket(int port, int backlog, InetAddress address) {
            return socket;
        }
    }
}
