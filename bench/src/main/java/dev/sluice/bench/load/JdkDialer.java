package dev.sluice.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A dialer on the JDK's java.nio and SSLEngine. It contains nothing of Sluice, and thus shows whether a figure depends
 * on Sluice's client; it costs more CPU than the servers under load.
 */
final class JdkDialer implements Dialer {
    private final Selector selector;
    private final JdkTls tls = new JdkTls();
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

    JdkDialer() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void dialPlain(int port, Stream.Handler handler) {
        connect(port, (channel, key) -> new JdkPlainStream(channel, key, handler));
    }

    @Override
    public void dialTls(int port, int slot, Stream.Handler handler) {
        connect(port, (channel, key) -> new JdkTlsStream(channel, key, tls.engine(port, slot), handler));
    }

    @Override
    public boolean drive(Runnable task, BooleanSupplier done, long timeoutMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        task.run();
        try {
            while (!done.getAsBoolean()) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                look(left);
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void look(long millis) throws IOException {
        if (tasks.isEmpty()) {
            selector.select(JdkDialer::onReady, millis);
            return;
        }
        selector.selectNow(JdkDialer::onReady);
        for (int left = tasks.size(); left > 0; left--) { // Tasks added by them run in the next turn.
            tasks.remove().run();
        }
    }

    private static void onReady(SelectionKey key) {
        ((JdkStream) key.attachment()).onReady();
    }

    @Override
    public void soon(Runnable task) {
        tasks.add(task);
    }

    @Override
    public String describe() {
        return "JSSE";
    }

    @Override
    public void close() {
        try {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void connect(int port, StreamMaker maker) {
        try {
            SocketChannel channel = SocketChannel.open();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            SelectionKey key = channel.register(selector, 0);
            JdkStream stream = maker.make(channel, key);
            key.attach(stream);
            stream.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot dial port " + port + ": " + e.getMessage(), e);
        }
    }

    private interface StreamMaker {
        JdkStream make(SocketChannel channel, SelectionKey key);
    }
}
