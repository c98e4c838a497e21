package dev.sluice.gateway.backend;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;

/** The sending of bytes that the gateway itself creates. */
public final class Buffers {
    private Buffers() {}

    /**
     * Sends bytes from a buffer of the loop.
     *
     * @return false when the loop has not enough buffers left; the begin may have been sent then
     */
    public static boolean send(Connection connection, byte[] bytes) {
        for (int at = 0; at < bytes.length; at += BufferGeometry.PAYLOAD) {
            Slab slab = connection.loop().buffers().lease();
            if (slab == null) {
                return false;
            }
            int length = Math.min(bytes.length - at, BufferGeometry.PAYLOAD);
            slab.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + length);
            RawMemory.copy(bytes, at, slab.payloadAddress(), length);
            connection.send(slab);
        }
        return true;
    }
}
