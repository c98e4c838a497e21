package dev.sluice.interop.example;

import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.peer.ReceivedBytes;
import dev.sluice.net.peer.TlsHandler;
import dev.sluice.net.peer.TlsPeer;
import java.nio.charset.StandardCharsets;

// snippet: handler
/** A handler with the state of one connection: counts lines, and answers when the client has sent its last. */
public final class LineCounter implements TlsHandler {
    private long lines;

    @Override
    public void onReceived(TlsPeer peer, ReceivedBytes bytes) {
        for (int i = 0; i < bytes.length(); i++) {
            if (bytes.get(i) == '\n') {
                lines++;
            }
        }
    }

    @Override
    public void onEndOfStream(TlsPeer peer) {
        String answer = lines + " lines from " + peer.remoteAddress() + " over " + peer.facts() + '\n';
        peer.write(answer.getBytes(StandardCharsets.UTF_8));
        peer.close(); // behind what is queued
    }

    @Override
    public void onFailed(TlsPeer peer, ConnectionFailure failure) {
        System.err.println(failure.reason().label() + ": " + failure.message());
    }
}
// end
