package dev.sluice.tls.record;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.OsslParam;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;

/**
 * The parameter {@code tag} of an AEAD cipher, created once and pointed at each record's tag in turn. OpenSSL creates
 * it in every EVP_CIPHER_CTX_ctrl, which costs 10 ns per record, and one more call when opening.
 *
 * <pre>
 *   0            40            80        88
 *   +------------+-------------+---------+
 *   | tag        | end         | "tag"   |
 *   | OSSL_PARAM | OSSL_PARAM  |         |
 *   +------------+-------------+---------+
 * </pre>
 */
final class TagParameter implements AutoCloseable {
    private static final int END_OFFSET = OsslParam.BYTES;
    private static final int NAME_OFFSET = END_OFFSET + OsslParam.BYTES;
    private static final int BYTES = NAME_OFFSET + Long.BYTES;
    private static final byte[] NAME = {'t', 'a', 'g', 0}; // OSSL_CIPHER_PARAM_AEAD_TAG, <openssl/core_names.h>

    private final NativeAllocator allocator;
    private final Ledger.Account account = Ledger.process().account("record protectors");
    private final MemorySegment memory;
    private final long address;

    TagParameter(NativeAllocator allocator) {
        this.allocator = allocator;
        this.memory = allocator.allocate(BYTES, Long.BYTES);
        account.acquired(BYTES);
        this.address = memory.address();
        RawMemory.copy(NAME, 0, address + NAME_OFFSET, NAME.length);
        OsslParam.set(address, address + NAME_OFFSET, OsslParam.OCTET_STRING, 0, Aead.TAG_BYTES);
        OsslParam.end(address + END_OFFSET);
    }

    /** Returns the array, whose value is {@code tag} until the next call. */
    long at(long tag) {
        OsslParam.data(address, tag);
        return address;
    }

    @Override
    public void close() {
        allocator.free(memory);
        account.released(BYTES);
    }
}
