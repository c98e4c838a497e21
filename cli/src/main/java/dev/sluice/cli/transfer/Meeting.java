package dev.sluice.cli.transfer;

import dev.sluice.transfer.channel.ChannelSocket;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A way to a peer that is not authenticated yet. One thread at a time uses it. */
interface Meeting extends AutoCloseable {
    /**
     * Returns the next connection with a peer: one that came, or one that is made.
     *
     * @param limit the most time to wait
     * @return the caller closes it; null when no peer came in time
     * @throws IOException when there can be none
     */
    @Nullable
    ChannelSocket next(Duration limit) throws IOException;

    @Override
    void close();
}
