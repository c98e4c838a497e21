package dev.sluice.ffi.libc;

import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;

/** An allocator that charges an owner for the memory of another allocator. Thread-safe when that one is. */
public final class AccountedAllocator implements NativeAllocator {
    private final NativeAllocator allocator;
    private final Ledger.Account account;

    /**
     * Wraps an allocator.
     *
     * @param account the account charged
     */
    public AccountedAllocator(NativeAllocator allocator, Ledger.Account account) {
        this.allocator = allocator;
        this.account = account;
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        MemorySegment segment = allocator.allocate(byteSize, byteAlignment);
        account.acquired(segment.byteSize());
        return segment;
    }

    @Override
    public void free(MemorySegment segment) {
        account.released(segment.byteSize());
        allocator.free(segment);
    }

    @Override
    public void forbid(long address, long byteSize) {
        allocator.forbid(address, byteSize);
    }

    @Override
    public void permit(long address, long byteSize) {
        allocator.permit(address, byteSize);
    }
}
