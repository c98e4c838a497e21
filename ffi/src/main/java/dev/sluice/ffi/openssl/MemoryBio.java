package dev.sluice.ffi.openssl;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** A {@code BIO} over memory, which reads or writes PEM text. Its copy of the input is wiped at close. */
final class MemoryBio extends NativeHandle {
    private final Arena arena;
    private final MemorySegment input;

    private MemoryBio(long address, Arena arena, MemorySegment input) {
        super(address, "BIO_new", "BIO");
        this.arena = arena;
        this.input = input;
    }

    /** Creates a readable {@code BIO} over a copy of the bytes. */
    static MemoryBio of(byte[] bytes) {
        Arena arena = Arena.ofConfined();
        MemorySegment copy = arena.allocate(Math.max(1, bytes.length));
        MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return new MemoryBio(LibCrypto.BIO_new_mem_buf(copy.address(), bytes.length), arena, copy);
    }

    /** Creates a readable {@code BIO} over native bytes, which are not copied and must outlive it. */
    static MemoryBio over(MemorySegment bytes) {
        long bio = LibCrypto.BIO_new_mem_buf(bytes.address(), Math.toIntExact(bytes.byteSize()));
        return new MemoryBio(bio, Arena.ofConfined(), MemorySegment.NULL);
    }

    /** Creates a writable {@code BIO}. */
    static MemoryBio empty() {
        return new MemoryBio(LibCrypto.BIO_new(LibCrypto.BIO_s_mem()), Arena.ofConfined(), MemorySegment.NULL);
    }

    /** Returns the bytes written so far. */
    byte[] written() {
        MemorySegment data = arena.allocate(ValueLayout.JAVA_LONG);
        long length = LibCrypto.BIO_ctrl(address(), OpenSslConstants.BIO_CTRL_INFO, 0, data.address());
        byte[] copy = new byte[Math.toIntExact(length)];
        RawMemory.copy(data.get(ValueLayout.JAVA_LONG, 0), copy, 0, copy.length);
        return copy;
    }

    /** Returns the bytes written so far, as text. */
    String writtenText() {
        return new String(written(), StandardCharsets.UTF_8);
    }

    @Override
    void free(long nativeAddress) {
        LibCrypto.BIO_free(nativeAddress);
        input.fill((byte) 0);
        arena.close();
    }
}
