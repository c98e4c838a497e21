package dev.sluice.net.server;

import dev.sluice.net.channel.ChannelHandler;
import dev.sluice.net.channel.TlsChannel;
import dev.sluice.net.peer.ConnectionFailedException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedChannelException;

/** The virtual thread that serves a connection. */
final class ChannelThread {
    private ChannelThread() {}

    /** Starts the thread, which closes the channel at its end. */
    static void start(TlsChannel channel, ChannelHandler handler) {
        Thread.ofVirtual().name("tls-channel-" + channel.remoteAddress()).start(() -> serve(channel, handler));
    }

    private static void serve(TlsChannel channel, ChannelHandler handler) {
        try (channel) {
            handler.serve(channel);
        } catch (ClosedChannelException closed) {
            log(Level.DEBUG, channel, closed);
        } catch (ConnectionFailedException e) {
            log(e.isPeersFault() ? Level.DEBUG : Level.WARNING, channel, e);
        } catch (IOException | RuntimeException e) {
            log(Level.WARNING, channel, e);
        }
    }

    private static void log(Level level, TlsChannel channel, Exception thrown) {
        System.getLogger("dev.sluice.net")
                .log(level, "channel handler failed, peer=" + channel.remoteAddress(), thrown);
    }
}
