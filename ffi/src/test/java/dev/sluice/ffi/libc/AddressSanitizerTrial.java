package dev.sluice.ffi.libc;

import dev.sluice.ffi.openssl.digest.Sha256;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.Slab;
import dev.sluice.memory.SlabPool;
import java.lang.foreign.Arena;
import java.util.Objects;

/**
 * Bad accesses to native memory, each announced on standard error, for {@link AddressSanitizerTest}. A main, since each
 * is to be reported. Arguments: the names of the faults.
 */
final class AddressSanitizerTrial {
    static final String ANNOUNCEMENT = "fault: ";

    private static final int BYTES = 24;

    private AddressSanitizerTrial() {}

    /** A bad access, with AddressSanitizer's name for it. */
    enum Fault {
        READ_PAST_AN_ALLOCATION("use-after-poison") {
            @Override
            void commit(Reader reader) {
                MallocAllocator allocator = new MallocAllocator();
                var memory = allocator.allocate(BYTES, 1);
                reader.read(memory.address(), BYTES + 1);
                allocator.free(memory);
            }
        },
        READ_PAST_AN_ARENAS_SEGMENT("heap-buffer-overflow") {
            @Override
            void commit(Reader reader) {
                try (Arena arena = Arena.ofConfined()) {
                    reader.read(arena.allocate(BYTES, 1).address(), BYTES + 1);
                }
            }
        },
        READ_AFTER_FREE("heap-use-after-free") {
            @Override
            void commit(Reader reader) {
                MallocAllocator allocator = new MallocAllocator();
                var memory = allocator.allocate(BYTES, 1);
                allocator.free(memory);
                reader.read(memory.address(), BYTES);
            }
        },
        READ_PAST_A_SLAB("use-after-poison") {
            @Override
            void commit(Reader reader) {
                try (SlabPool pool = pool()) {
                    Slab slab = Objects.requireNonNull(pool.lease());
                    reader.read(slab.address(), slab.capacity() + 1);
                    slab.release();
                }
            }
        },
        /** The last one: compiled code reads a whole block here, and does not go on after the report. */
        READ_A_RELEASED_SLAB("use-after-poison") {
            @Override
            void commit(Reader reader) {
                try (SlabPool pool = pool()) {
                    Slab slab = Objects.requireNonNull(pool.lease());
                    slab.release();
                    reader.read(slab.address(), slab.capacity());
                }
            }
        };

        final String report;

        Fault(String report) {
            this.report = report;
        }

        abstract void commit(Reader reader);

        private static SlabPool pool() {
            return new SlabPool(new MmapAllocator(), Ledger.process().account("trial"), 4096, 2, 2);
        }
    }

    /** Native code that reads bytes. */
    interface Reader {
        void read(long address, long bytes);
    }

    /** Commits a fault by each reader that an argument names. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) {
        for (String argument : arguments) {
            Reader reader = argument.equals("OpenSSL") ? AddressSanitizerTrial::digest : AddressSanitizerTrial::write;
            for (Fault fault : Fault.values()) {
                System.err.println(ANNOUNCEMENT + argument + " " + fault);
                fault.commit(reader);
            }
        }
    }

    private static void digest(long address, long bytes) {
        try (Sha256 digest = new Sha256()) {
            digest.update(address, bytes);
        }
    }

    private static void write(long address, long bytes) {
        try (LibC libc = new LibC();
                Arena arena = Arena.ofConfined()) {
            var pair = arena.allocate(2L * Integer.BYTES);
            libc.socketpair(Constants.AF_UNIX, Constants.SOCK_STREAM, 0, pair.address());
            int writer = RawMemory.getInt(pair.address());
            libc.write(writer, address, bytes);
            libc.close(writer);
            libc.close(RawMemory.getInt(pair.address() + Integer.BYTES));
        }
    }
}
