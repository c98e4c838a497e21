package dev.sluice.gateway;

import dev.sluice.ffi.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;

/** Sends bytes of our own making. */
final class Buffers {
    private Buffers() {}

    /**
     * Sends bytes from a buffer of the loop.
     *
     * @param bytes at most {@link BufferGeometry#PAYLOAD}
     * @return false when the loop has no buffer left; nothing was sent then
     */
    static boolean send(Connection connection, byte[] bytes) {
        Slab slab = connection.loop().buffers().lease();
        if (slab == null) {
            return false;
        }
        slab.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + bytes.length);
        RawMemory.copy(bytes, 0, slab.payloadAddress(), bytes.length);
        connection.send(slab);
        return true;
    }
}
