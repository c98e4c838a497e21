package dev.sluice.cli.transfer;

import dev.sluice.transfer.meet.LanSettings;
import dev.sluice.transfer.meet.MeetException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the places where two machines meet that do not know each other's addresses. */
final class MeetOptions {
    @Option(
            names = "--relay",
            paramLabel = "HOST:PORT",
            description =
                    "Meet at a machine that runs sluice relay, too, if no direct way is found. It sees ciphertext "
                            + "only.")
    private @Nullable String relay;

    @Option(names = "--no-lan", description = "Do not use the local network to find the other machine.")
    private boolean noLan;

    /** Returns the settings of discovery; null for none. */
    @Nullable
    LanSettings lan() {
        return noLan ? null : LanSettings.DEFAULT;
    }

    /** Returns the relay's address; null for no relay. */
    @Nullable
    InetSocketAddress relay() throws MeetException {
        return relay == null ? null : PeerAddresses.toConnect(relay).getFirst();
    }

    /** Returns the relay as the user typed it; null for no relay. */
    @Nullable
    String relayText() {
        return relay;
    }
}
