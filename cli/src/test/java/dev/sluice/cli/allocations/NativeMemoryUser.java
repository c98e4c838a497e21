package dev.sluice.cli.allocations;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A program that allocates native memory in three ways until its process is ended. */
final class NativeMemoryUser {
    static final int DIRECT_BYTES = 3_000;
    static final int ARENA_BYTES = 700;
    private static final int UNCACHED_BYTES = 1 << 20;

    private long used;

    private NativeMemoryUser() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.setProperty("jdk.nio.maxCachedBufferSize", "100000");
        NativeMemoryUser user = new NativeMemoryUser();
        user.allocate();
        System.out.println("allocating, bytes so far: " + user.used);
        while (true) {
            user.allocate();
            Thread.sleep(1);
        }
    }

    private void allocate() throws IOException {
        direct();
        arena();
        channel();
    }

    private void direct() {
        used += ByteBuffer.allocateDirect(DIRECT_BYTES).capacity();
    }

    private void arena() {
        try (Arena arena = Arena.ofConfined()) {
            used += arena.allocate(ARENA_BYTES).byteSize();
        }
    }

    private void channel() throws IOException {
        try (FileChannel file = FileChannel.open(Path.of("/dev/zero"))) {
            used += file.read(ByteBuffer.allocate(UNCACHED_BYTES));
        }
    }
}
