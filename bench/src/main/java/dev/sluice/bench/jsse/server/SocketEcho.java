package dev.sluice.bench.jsse.server;

import dev.sluice.bench.load.TlsProfile;
import dev.sluice.bench.record.path.Credentials;
import dev.sluice.bench.record.path.MeasuredProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;

/** An echo server over TLS 1.3 on SSLSockets, with a virtual thread for each connection. */
final class SocketEcho implements RunningServer {
    private static final int BACKLOG = 4096;
    private static final int BUFFER_BYTES = 1024;

    private final SSLServerSocket listener;
    private final String library;

    private SocketEcho(SSLServerSocket listener, String library) {
        this.listener = listener;
        this.library = library;
    }

    /** Starts it with a provider's sockets. */
    static SocketEcho start(MeasuredProvider provider, Credentials credentials) throws IOException {
        SSLServerSocket listener = (SSLServerSocket) provider.context(credentials)
                .getServerSocketFactory()
                .createServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        SSLParameters parameters = listener.getSSLParameters();
        parameters.setProtocols(new String[] {TlsProfile.PROTOCOL});
        parameters.setCipherSuites(new String[] {TlsProfile.SUITE});
        listener.setSSLParameters(parameters);
        SocketEcho echo = new SocketEcho(listener, provider.library());
        Thread.ofVirtual().name("accept").start(echo::accept);
        return echo;
    }

    private void accept() {
        try {
            while (!listener.isClosed()) {
                Socket accepted = listener.accept();
                Thread.ofVirtual().start(() -> echo(accepted));
            }
        } catch (IOException e) {
            if (!listener.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void echo(Socket accepted) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (accepted) {
            accepted.setTcpNoDelay(true);
            InputStream in = accepted.getInputStream();
            OutputStream out = accepted.getOutputStream();
            for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // The client ended it, without close_notify, or reports the failure.
        }
    }

    @Override
    public int port() {
        return listener.getLocalPort();
    }

    @Override
    public String library() {
        return library;
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
