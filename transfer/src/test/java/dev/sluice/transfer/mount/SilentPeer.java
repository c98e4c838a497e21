package dev.sluice.transfer.mount;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.export.Exporting;
import dev.sluice.transfer.files.FrameReader;
import dev.sluice.transfer.files.FrameWriter;

/** A peer that welcomes a mount, and never answers again. */
final class SilentPeer {
    private SilentPeer() {}

    static Exporting exporting() throws ChannelException {
        return Exporting.by(channel -> {
            FrameReader in = new FrameReader(channel.incoming());
            FrameWriter out = new FrameWriter(channel);
            in.next();
            in.skip();
            out.begin(0);
            out.putInt(0);
            out.putInt(0);
            out.putInt(0);
            out.end();
            out.flush();
            while (in.next()) {
                in.skip();
            }
        });
    }
}
