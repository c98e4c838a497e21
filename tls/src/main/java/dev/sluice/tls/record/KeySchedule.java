package dev.sluice.tls.record;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.EvpKdfCtx;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.OsslParam;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The derivation of record keys from secrets: HKDF-Expand-Label of RFC 8446 section 7.1 for TLS 1.3, the PRF of RFC
 * 5246 section 5 for TLS 1.2. Secrets and keys stay in native memory throughout.
 *
 * <p>Confined to one thread; an event loop has one. {@link #close()} wipes and frees its scratch memory.
 */
public final class KeySchedule implements AutoCloseable {
    private static final AtomicLong KEY_IDS = new AtomicLong();
    private static final String LABEL_PREFIX = "tls13 ";
    private static final String KEY_EXPANSION = "key expansion";

    private static final int MAX_PARAMS = 4;
    private static final int NAMES_OFFSET = MAX_PARAMS * OsslParam.BYTES;
    private static final int NAMES_BYTES = 64;
    private static final int INFO_OFFSET = NAMES_OFFSET + NAMES_BYTES;
    private static final int INFO_BYTES = 128;
    private static final int OUT_OFFSET = INFO_OFFSET + INFO_BYTES;
    private static final int OUT_BYTES = 2 * (Aead.MAX_KEY_BYTES + Aead.NONCE_BYTES);
    private static final int SCRATCH_BYTES = OUT_OFFSET + OUT_BYTES;

    private final NativeAllocator allocator;
    private final Ledger.Account account;
    private final MemorySegment scratch;
    private final Map<Hash, HkdfExpand> hkdf = new EnumMap<>(Hash.class);
    private final EvpKdfCtx prf;
    private final long params;
    private final long digestName;
    private final long secretName;
    private final long seedName;
    private final long digestValue;
    private boolean closed;

    /** Creates a key schedule. */
    public KeySchedule(NativeAllocator allocator) {
        this.allocator = allocator;
        this.account = Ledger.process().account("key schedule");
        this.scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
        this.prf = prfOrFree();
        account.acquired(SCRATCH_BYTES);
        this.params = scratch.address();
        Names names = new Names(params + NAMES_OFFSET);
        this.digestName = names.put("digest");
        this.secretName = names.put("secret");
        this.seedName = names.put("seed");
        this.digestValue = names.put(Hash.SHA_256.opensslName());
    }

    private EvpKdfCtx prfOrFree() {
        try {
            return EvpKdfCtx.fetch("TLS1-PRF");
        } catch (Throwable t) {
            allocator.free(scratch);
            throw t;
        }
    }

    /**
     * Computes HKDF-Expand-Label with an empty context, RFC 8446 section 7.1.
     *
     * @param secret address of the secret, {@code hash.bytes()} long
     * @param label without its prefix, such as {@code key}
     * @param out destination; must not overlap the secret
     * @param length size of the result in bytes, at most {@code hash.bytes()}
     */
    void expandLabel(Hash hash, long secret, String label, long out, int length) {
        expand(hash, secret, label, out, length);
        hkdf(hash).forget();
    }

    private void expand(Hash hash, long secret, String label, long out, int length) {
        long info = params + INFO_OFFSET;
        hkdf(hash).expand(secret, info, hkdfLabel(info, label, length), out, length);
    }

    private HkdfExpand hkdf(Hash hash) {
        HkdfExpand made = hkdf.get(hash);
        if (made == null) {
            made = new HkdfExpand(hash, allocator, account);
            hkdf.put(hash, made);
        }
        return made;
    }

    /**
     * Derives the keys of one TLS 1.3 direction from its traffic secret at {@link TrafficKeys#secretAddress}: RFC 8446
     * section 7.3. The sequence number becomes 0.
     */
    public void deriveKeys(CipherSuite suite, long keys) {
        Hash hash = suite.hash();
        long secret = TrafficKeys.secretAddress(keys);
        expand(hash, secret, "key", TrafficKeys.keyAddress(keys), suite.aead().keyBytes());
        expand(hash, secret, "iv", TrafficKeys.ivAddress(keys), Aead.NONCE_BYTES);
        hkdf(hash).forget();
        fresh(keys);
    }

    /** Replaces the secret and keys of a TLS 1.3 direction with the next generation: RFC 8446 section 7.2. */
    public void nextGeneration(CipherSuite suite, long keys) {
        long next = params + OUT_OFFSET;
        int length = suite.hash().bytes();
        expand(suite.hash(), TrafficKeys.secretAddress(keys), "traffic upd", next, length);
        RawMemory.copy(next, TrafficKeys.secretAddress(keys), length);
        RawMemory.zero(next, length);
        deriveKeys(suite, keys);
    }

    /**
     * Derives the keys of both TLS 1.2 directions: RFC 5246 section 6.3. The sequence numbers become 0; the caller sets
     * them.
     *
     * @param masterSecret address of its 48 bytes
     * @param randoms address of server_random and client_random, 64 bytes, in this order
     * @param clientKeys keys of the client's records
     * @param serverKeys keys of the server's records
     */
    public void deriveKeys12(CipherSuite suite, long masterSecret, long randoms, long clientKeys, long serverKeys) {
        int keyBytes = suite.aead().keyBytes();
        int ivBytes = RecordProtector.fixedIvBytes12(suite.aead());
        long block = params + OUT_OFFSET;
        int length = 2 * (keyBytes + ivBytes);
        prf(suite.hash(), masterSecret, randoms, block, length);
        RawMemory.copy(block, TrafficKeys.keyAddress(clientKeys), keyBytes);
        RawMemory.copy(block + keyBytes, TrafficKeys.keyAddress(serverKeys), keyBytes);
        RawMemory.copy(block + 2L * keyBytes, TrafficKeys.ivAddress(clientKeys), ivBytes);
        RawMemory.copy(block + 2L * keyBytes + ivBytes, TrafficKeys.ivAddress(serverKeys), ivBytes);
        RawMemory.zero(block, length);
        fresh(clientKeys);
        fresh(serverKeys);
    }

    /** Wipes and frees the scratch memory. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            hkdf.values().forEach(HkdfExpand::close);
            hkdf.clear();
            prf.close();
            scratch.fill((byte) 0);
            allocator.free(scratch);
            account.released(SCRATCH_BYTES);
        }
    }

    /** Starts the use of derived keys: sequence number 0, and an id that no other keys have. */
    static void fresh(long keys) {
        TrafficKeys.sequence(keys, 0);
        TrafficKeys.keyId(keys, KEY_IDS.incrementAndGet());
    }

    private void prf(Hash hash, long masterSecret, long randoms, long out, int length) {
        long seed = params + INFO_OFFSET;
        int seedLength = putAscii(seed, KEY_EXPANSION);
        RawMemory.copy(randoms, seed + seedLength, 64);
        seedLength += 64;
        digest(hash);
        OsslParam.set(params, digestName, OsslParam.UTF8_STRING, digestValue, digestLength(hash));
        OsslParam.set(param(1), secretName, OsslParam.OCTET_STRING, masterSecret, 48);
        OsslParam.set(param(2), seedName, OsslParam.OCTET_STRING, seed, seedLength);
        OsslParam.end(param(3));
        derivePrf(out, length);
    }

    private void derivePrf(long out, int length) {
        long context = prf.address();
        int derived = LibCryptoAead.EVP_KDF_derive(context, out, length, params);
        // The context has copied the secret, and would append the next seed to this one: no return or exception in
        // between.
        LibCryptoAead.EVP_KDF_CTX_reset(context);
        if (derived != 1) {
            throw OpenSslException.drained("TLS1-PRF failed");
        }
    }

    private long param(int index) {
        return params + (long) index * OsslParam.BYTES;
    }

    private void digest(Hash hash) {
        putAscii(digestValue, hash.opensslName());
    }

    private static int digestLength(Hash hash) {
        return hash.opensslName().length();
    }

    /** Writes the HkdfLabel structure of RFC 8446 section 7.1: length, label with its prefix, empty context. */
    private static int hkdfLabel(long info, String label, int length) {
        RawMemory.putShortBigEndian(info, (short) length);
        RawMemory.putByte(info + 2, (byte) (LABEL_PREFIX.length() + label.length()));
        int end = 3;
        end += putAscii(info + end, LABEL_PREFIX);
        end += putAscii(info + end, label);
        RawMemory.putByte(info + end, (byte) 0);
        return end + 1;
    }

    private static int putAscii(long address, String text) {
        for (int i = 0; i < text.length(); i++) {
            RawMemory.putByte(address + i, (byte) text.charAt(i));
        }
        return text.length();
    }

    /** A table of consecutive C strings. */
    private static final class Names {
        private long next;

        Names(long start) {
            next = start;
        }

        long put(String name) {
            byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
            long address = next;
            RawMemory.copy(bytes, 0, address, bytes.length);
            RawMemory.putByte(address + bytes.length, (byte) 0);
            next += bytes.length + 1;
            return address;
        }
    }
}
