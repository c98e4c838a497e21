package dev.sluice.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.AllocatedBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that compiled system calls leave nothing on the heap, however deep within their callers they are. */
class LibCAllocationTest {
    private static final int ROUNDS = 20_000;
    private static final int BAD_DESCRIPTOR = -1;

    @TempDir
    private Path directory;

    /** Teaches the JIT compiler that segments have several types, as in a process that uses them otherwise, too. */
    @BeforeEach
    void sliceSegmentsOfAllTypes() throws IOException {
        Path file = Files.write(directory.resolve("mapped"), new byte[Long.BYTES]);
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file)) {
            MemorySegment[] segments = {
                arena.allocate(Long.BYTES),
                MemorySegment.ofArray(new byte[Long.BYTES]),
                MemorySegment.ofArray(new long[1]),
                channel.map(MapMode.READ_ONLY, 0, Long.BYTES, arena)
            };
            long bytes = 0;
            for (int i = 0; i < 40_000; i++) {
                bytes +=
                        segments[i % segments.length].asSlice(i % Long.BYTES, 1).byteSize();
            }
            assertThat(bytes).isEqualTo(40_000);
        }
    }

    @Test
    void callsDeepWithinOtherMethodsAllocateNothing() {
        try (LibC libc = new LibC()) {
            assertThat(AllocatedBytes.leastDuring(() -> callDeepInside(libc))).isZero();
        }
    }

    private static void callDeepInside(LibC libc) {
        long results = 0;
        for (int i = 0; i < ROUNDS; i++) {
            results += level1(libc);
        }
        if (results != -2L * ROUNDS * Errno.EBADF) {
            throw new AssertionError("unexpected results: sum=" + results);
        }
    }

    // Methods that the compiler inlines until it has reached its limit of nested calls, which is 15. With the limit
    // within the JDK's part of the call, a segment would be allocated that is not at other depths.

    private static long level1(LibC libc) {
        return level2(libc);
    }

    private static long level2(LibC libc) {
        return level3(libc);
    }

    private static long level3(LibC libc) {
        return level4(libc);
    }

    private static long level4(LibC libc) {
        return level5(libc);
    }

    private static long level5(LibC libc) {
        return level6(libc);
    }

    private static long level6(LibC libc) {
        return level7(libc);
    }

    private static long level7(LibC libc) {
        return level8(libc);
    }

    private static long level8(LibC libc) {
        return level9(libc);
    }

    private static long level9(LibC libc) {
        return level10(libc);
    }

    private static long level10(LibC libc) {
        return level11(libc);
    }

    private static long level11(LibC libc) {
        return level12(libc);
    }

    private static long level12(LibC libc) {
        return innermost(libc);
    }

    private static long innermost(LibC libc) {
        return libc.close(BAD_DESCRIPTOR) + libc.recv(BAD_DESCRIPTOR, 0, 0, 0);
    }
}
