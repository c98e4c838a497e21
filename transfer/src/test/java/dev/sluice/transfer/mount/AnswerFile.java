package dev.sluice.transfer.mount;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.ffi.libc.FileConstants;
import dev.sluice.ffi.libc.LibCFiles;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file in the place of the kernel's device: it keeps the answers that are written, one behind another. */
final class AnswerFile implements AutoCloseable {
    private final int descriptor;

    private AnswerFile(int descriptor) {
        this.descriptor = descriptor;
    }

    /** Opens an empty file without a name. */
    static AnswerFile open() {
        MallocAllocator allocator = new MallocAllocator();
        try (LibCFiles files = new LibCFiles()) {
            Path path = Files.createTempFile("answers", "");
            byte[] name = (path + "\0").getBytes(UTF_8);
            MemorySegment memory = allocator.allocate(name.length, 1);
            try {
                RawMemory.copy(name, 0, memory.address(), name.length);
                int opened = files.openat(FileConstants.AT_FDCWD, memory.address(), FileConstants.O_RDWR, 0);
                if (opened < 0) {
                    throw new IOException("openat(2) of " + path + " fails with errno " + -opened);
                }
                return new AnswerFile(opened);
            } finally {
                allocator.free(memory);
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int descriptor() {
        return descriptor;
    }

    /** Returns what was written. */
    byte[] content() {
        try {
            return Files.readAllBytes(Path.of("/proc/self/fd/" + descriptor));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        LibCFiles.closeFd(descriptor);
    }
}
