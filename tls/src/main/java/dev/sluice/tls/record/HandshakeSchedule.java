package dev.sluice.tls.record;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.digest.Sha2;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;

/**
 * The key schedule and transcript of a TLS 1.3 handshake without libssl: RFC 8446 sections 4.4.1 and 7.1.
 *
 * <pre>{@code
 * begin(suite); with a pre-shared key: resume(key), binder(...)
 * update(ClientHello); update(ServerHello)
 * handshakeSecrets(shared secret, client keys, server keys); update(...); finished(...)
 * applicationSecrets(client keys, server keys); resumptionSecret(...)
 * forget()
 * }</pre>
 *
 * <p>HMAC is computed here over SHA-2 of libcrypto: a derivation through EVP costs more for the look-ups of its context
 * than for its four blocks. What follows from one secret shares the two blocks of its key, and labels stand ready in
 * native memory, so that few calls are interpreted right after a start. Confined to one thread; serves one handshake at
 * a time. Everything secret is in scratch memory, which {@link #forget()} wipes.
 */
public final class HandshakeSchedule implements AutoCloseable {
    private static final int TRANSCRIPT_OFFSET = 0;
    private static final int STATE_OFFSET = TRANSCRIPT_OFFSET + roundUp(Sha2.MAX_STATE_BYTES);

    /** The states of HMAC's two hashes after its key, see {@link #key}. */
    private static final int INNER_STATE_OFFSET = STATE_OFFSET + roundUp(Sha2.MAX_STATE_BYTES);

    private static final int OUTER_STATE_OFFSET = INNER_STATE_OFFSET + roundUp(Sha2.MAX_STATE_BYTES);
    private static final int INNER_KEY_OFFSET = OUTER_STATE_OFFSET + roundUp(Sha2.MAX_STATE_BYTES);
    private static final int OUTER_KEY_OFFSET = INNER_KEY_OFFSET + Hash.MAX_BYTES;
    private static final int MAC_OFFSET = OUTER_KEY_OFFSET + Hash.MAX_BYTES;
    private static final int HASH_OFFSET = MAC_OFFSET + Hash.MAX_BYTES;
    private static final int SECRET_OFFSET = HASH_OFFSET + Hash.MAX_BYTES;
    private static final int KEY_OFFSET = SECRET_OFFSET + Hash.MAX_BYTES;

    /** Derive-Secret(early secret, "derived", ""), the salt of the handshake secret. */
    private static final int SALT_OFFSET = KEY_OFFSET + Hash.MAX_BYTES;

    private static final int SECRET_END = SALT_OFFSET + Hash.MAX_BYTES;

    /** The constants, which stay: the hash of nothing, and the secret that follows from no pre-shared key. */
    private static final int EMPTY_HASH_OFFSET = SECRET_END;

    private static final int EARLY_OFFSET = EMPTY_HASH_OFFSET + Hash.MAX_BYTES;

    /** The bytes behind a key in HMAC's two blocks. */
    private static final int INNER_PAD_OFFSET = EARLY_OFFSET + Hash.MAX_BYTES;

    private static final int OUTER_PAD_OFFSET = INNER_PAD_OFFSET + Sha2.MAX_BLOCK_BYTES;

    /** HkdfLabel of RFC 8446 section 7.1 for each {@link Label}, followed by the counter of HKDF-Expand. */
    private static final int LABELS_OFFSET = OUTER_PAD_OFFSET + Sha2.MAX_BLOCK_BYTES;

    private static final int LABEL_TEXT_OFFSET = Short.BYTES + 1;
    private static final int LABEL_TEXT_MAX_BYTES = 24;
    private static final int LABEL_BYTES = roundUp(LABEL_TEXT_OFFSET + LABEL_TEXT_MAX_BYTES + 1 + Hash.MAX_BYTES + 1);
    private static final int SCRATCH_BYTES = LABELS_OFFSET + Label.values().length * LABEL_BYTES;

    private static final long INNER_PAD = 0x3636363636363636L;
    private static final long OUTER_PAD = 0x5C5C5C5C5C5C5C5CL;

    /** The labels of RFC 8446 section 7.1, with their prefix. */
    private enum Label {
        BINDER(0, "res binder"),
        DERIVED(1, "derived"),
        CLIENT_HANDSHAKE(2, "c hs traffic"),
        SERVER_HANDSHAKE(3, "s hs traffic"),
        CLIENT_APPLICATION(4, "c ap traffic"),
        SERVER_APPLICATION(5, "s ap traffic"),
        EXPORTER(6, "exp master"),
        RESUMPTION_MASTER(7, "res master"),
        RESUMPTION(8, "resumption"),
        FINISHED(9, "finished"),
        KEY(10, "key"),
        IV(11, "iv");

        /** The address from the start of the scratch memory. */
        private final int offset;

        private final String text;

        Label(int index, String text) {
            this.offset = LABELS_OFFSET + index * LABEL_BYTES;
            this.text = "tls13 " + text;
        }
    }

    private final NativeAllocator allocator;
    private final Ledger.Account account;
    private final MemorySegment scratch;
    private final long address;

    /** The constants of the hash that was used last stand in the scratch memory. */
    private Hash hash = Hash.SHA_256;

    private CipherSuite suite = CipherSuite.TLS_AES_128_GCM_SHA256;
    private final Map<Hash, byte[]> constants = new EnumMap<>(Hash.class);
    private boolean closed;

    /** Creates a key schedule. */
    public HandshakeSchedule(NativeAllocator allocator) {
        this.allocator = allocator;
        this.account = Ledger.process().account("handshake schedule");
        this.scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
        this.address = scratch.address();
        try {
            writePads();
            writeLabels();
            for (Hash each : Hash.values()) {
                hash = each;
                computeConstants();
            }
        } catch (Throwable t) {
            allocator.free(scratch);
            throw t;
        }
        account.acquired(SCRATCH_BYTES);
    }

    private static int roundUp(int bytes) {
        return (bytes + Long.BYTES - 1) & -Long.BYTES;
    }

    private void writePads() {
        for (int i = 0; i < Sha2.MAX_BLOCK_BYTES; i += Long.BYTES) {
            RawMemory.putLong(at(INNER_PAD_OFFSET) + i, INNER_PAD);
            RawMemory.putLong(at(OUTER_PAD_OFFSET) + i, OUTER_PAD);
        }
    }

    private void writeLabels() {
        for (Label label : Label.values()) {
            byte[] text = label.text.getBytes(StandardCharsets.US_ASCII);
            RawMemory.putByte(at(label.offset) + Short.BYTES, (byte) text.length);
            RawMemory.copy(text, 0, at(label.offset) + LABEL_TEXT_OFFSET, text.length);
        }
    }

    /** Computes Hash("") and Derive-Secret(HKDF-Extract(0, 0), "derived", ""). */
    private void computeConstants() {
        sha2().start(at(STATE_OFFSET));
        sha2().finish(at(STATE_OFFSET), at(EMPTY_HASH_OFFSET));
        RawMemory.zero(at(KEY_OFFSET), hash.bytes());
        hmac(at(KEY_OFFSET), at(KEY_OFFSET), hash.bytes(), at(SECRET_OFFSET));
        key(at(SECRET_OFFSET));
        deriveSecret(Label.DERIVED, at(EMPTY_HASH_OFFSET), at(EARLY_OFFSET));
        byte[] both = new byte[2 * Hash.MAX_BYTES];
        RawMemory.copy(at(EMPTY_HASH_OFFSET), both, 0, both.length);
        constants.put(hash, both);
    }

    private long at(int offset) {
        return address + offset;
    }

    private Sha2 sha2() {
        return sha2(hash);
    }

    private static Sha2 sha2(Hash hash) {
        return hash == Hash.SHA_256 ? Sha2.SHA_256 : Sha2.SHA_384;
    }

    /** Starts a handshake with an empty transcript. */
    public void begin(CipherSuite chosen) {
        suite = chosen;
        hash = chosen.hash();
        byte[] both = constants.get(hash);
        if (both == null) {
            throw new IllegalStateException("no constants for " + hash);
        }
        RawMemory.copy(both, 0, at(EMPTY_HASH_OFFSET), both.length);
        RawMemory.copy(at(EARLY_OFFSET), at(SALT_OFFSET), hash.bytes());
        sha2().start(at(TRANSCRIPT_OFFSET));
    }

    /**
     * Continues with a pre-shared key, before any message.
     *
     * @param key of the size of the suite's hash
     */
    public void resume(long key) {
        RawMemory.zero(at(HASH_OFFSET), hash.bytes());
        hmac(at(HASH_OFFSET), key, hash.bytes(), at(SECRET_OFFSET));
        key(at(SECRET_OFFSET));
        deriveSecret(Label.DERIVED, at(EMPTY_HASH_OFFSET), at(SALT_OFFSET));
    }

    /**
     * Computes the binder of a resumption, after {@link #resume}: RFC 8446 section 4.2.11.2.
     *
     * @param hello the ClientHello up to its binders
     */
    public void binder(long hello, int length, long out) {
        key(at(SECRET_OFFSET));
        deriveSecret(Label.BINDER, at(EMPTY_HASH_OFFSET), at(KEY_OFFSET));
        key(at(KEY_OFFSET));
        expandLabel(Label.FINISHED, 0, 0, at(KEY_OFFSET), hash.bytes());
        digest(hash, hello, length, at(HASH_OFFSET));
        hmac(at(KEY_OFFSET), at(HASH_OFFSET), hash.bytes(), out);
    }

    /** Adds a message to the transcript, with its header. */
    public void update(long message, int length) {
        sha2().update(at(TRANSCRIPT_OFFSET), message, length);
    }

    /** Returns the address of the transcript's hash, valid until the next call. */
    public long transcriptHash() {
        RawMemory.copy(at(TRANSCRIPT_OFFSET), at(STATE_OFFSET), sha2().stateBytes());
        sha2().finish(at(STATE_OFFSET), at(HASH_OFFSET));
        return at(HASH_OFFSET);
    }

    /**
     * Hashes a message apart from the transcript.
     *
     * @param of the hash, which need not be the suite's
     */
    public void digest(Hash of, long message, int length, long out) {
        sha2(of).start(at(STATE_OFFSET));
        sha2(of).update(at(STATE_OFFSET), message, length);
        sha2(of).finish(at(STATE_OFFSET), out);
    }

    /**
     * Derives the keys of the handshake; the transcript is ClientHello and ServerHello.
     *
     * @param shared the agreed secret
     * @param client {@link TrafficKeys} of the client's handshake records
     * @param server {@link TrafficKeys} of the server's handshake records
     */
    public void handshakeSecrets(long shared, int sharedBytes, long client, long server) {
        hmac(at(SALT_OFFSET), shared, sharedBytes, at(SECRET_OFFSET));
        key(at(SECRET_OFFSET));
        long transcript = transcriptHash();
        deriveSecret(Label.CLIENT_HANDSHAKE, transcript, TrafficKeys.secretAddress(client));
        deriveSecret(Label.SERVER_HANDSHAKE, transcript, TrafficKeys.secretAddress(server));
        deriveSecret(Label.DERIVED, at(EMPTY_HASH_OFFSET), at(KEY_OFFSET));
        trafficKeys(client);
        trafficKeys(server);
        // The master secret's input keying material is a string of zeros.
        RawMemory.zero(at(HASH_OFFSET), hash.bytes());
        hmac(at(KEY_OFFSET), at(HASH_OFFSET), hash.bytes(), at(SECRET_OFFSET));
    }

    /** Derives the keys of application data; the transcript ends with the server's Finished. */
    public void applicationSecrets(long client, long server) {
        key(at(SECRET_OFFSET));
        long transcript = transcriptHash();
        deriveSecret(Label.CLIENT_APPLICATION, transcript, TrafficKeys.secretAddress(client));
        deriveSecret(Label.SERVER_APPLICATION, transcript, TrafficKeys.secretAddress(server));
        trafficKeys(client);
        trafficKeys(server);
    }

    /** Derives the exporter's master secret; the transcript ends with the server's Finished. */
    public void exporterSecret(long out) {
        key(at(SECRET_OFFSET));
        deriveSecret(Label.EXPORTER, transcriptHash(), out);
    }

    /** Derives the resumption master secret; the transcript ends with the client's Finished. */
    public void resumptionSecret(long out) {
        key(at(SECRET_OFFSET));
        deriveSecret(Label.RESUMPTION_MASTER, transcriptHash(), out);
    }

    /**
     * Derives the pre-shared key of a ticket: RFC 8446 section 4.6.1.
     *
     * @param chosen the suite of the handshake, which may be over
     * @param resumption the resumption master secret
     */
    public void ticketSecret(CipherSuite chosen, long resumption, long nonce, int nonceBytes, long out) {
        hash = chosen.hash();
        key(resumption);
        expandLabel(Label.RESUMPTION, nonce, nonceBytes, out, hash.bytes());
    }

    /**
     * Computes verify_data of a Finished message over the transcript so far: RFC 8446 section 4.4.4.
     *
     * @param keys {@link TrafficKeys} of the handshake records of its sender
     */
    public void finished(long keys, long out) {
        key(TrafficKeys.secretAddress(keys));
        expandLabel(Label.FINISHED, 0, 0, at(KEY_OFFSET), hash.bytes());
        hmac(at(KEY_OFFSET), transcriptHash(), hash.bytes(), out);
    }

    /** Wipes the secrets of the last handshake. */
    public void forget() {
        RawMemory.zero(address, SECRET_END);
    }

    private void trafficKeys(long keys) {
        key(TrafficKeys.secretAddress(keys));
        expandLabel(Label.KEY, 0, 0, TrafficKeys.keyAddress(keys), suite.aead().keyBytes());
        expandLabel(Label.IV, 0, 0, TrafficKeys.ivAddress(keys), Aead.NONCE_BYTES);
        KeySchedule.fresh(keys);
    }

    /** Computes Derive-Secret of RFC 8446 section 7.1, of the secret that is the {@link #key}. */
    private void deriveSecret(Label label, long context, long out) {
        expandLabel(label, context, hash.bytes(), out, hash.bytes());
    }

    /**
     * Computes HKDF-Expand-Label, of the secret that is the {@link #key}, for outputs no longer than the hash: a single
     * HMAC.
     */
    private void expandLabel(Label label, long context, int contextBytes, long out, int length) {
        long info = at(label.offset);
        RawMemory.putShortBigEndian(info, (short) length);
        long end = info + LABEL_TEXT_OFFSET + label.text.length();
        RawMemory.putByte(end++, (byte) contextBytes);
        if (contextBytes > 0) {
            RawMemory.copy(context, end, contextBytes);
            end += contextBytes;
        }
        RawMemory.putByte(end++, (byte) 1); // the counter of HKDF-Expand, RFC 5869 section 2.3
        mac(info, (int) (end - info), at(MAC_OFFSET));
        RawMemory.copy(at(MAC_OFFSET), out, length);
    }

    private void hmac(long key, long data, int length, long out) {
        key(key);
        mac(data, length, out);
    }

    /** Sets the key of HMAC, of the hash's size, for the calls of {@link #mac} that follow: RFC 2104 section 2. */
    private void key(long key) {
        long inner = at(INNER_KEY_OFFSET);
        long outer = at(OUTER_KEY_OFFSET);
        int bytes = hash.bytes();
        for (int i = 0; i < bytes; i += Long.BYTES) {
            long part = RawMemory.getLong(key + i);
            RawMemory.putLong(inner + i, part ^ INNER_PAD);
            RawMemory.putLong(outer + i, part ^ OUTER_PAD);
        }
        hashKey(at(INNER_STATE_OFFSET), inner, at(INNER_PAD_OFFSET));
        hashKey(at(OUTER_STATE_OFFSET), outer, at(OUTER_PAD_OFFSET));
    }

    private void hashKey(long state, long key, long pad) {
        Sha2 function = sha2();
        function.start(state);
        function.update(state, key, function.bytes());
        function.update(state, pad, function.blockBytes() - function.bytes());
    }

    private void mac(long data, int length, long out) {
        Sha2 function = sha2();
        long state = at(STATE_OFFSET);
        RawMemory.copy(at(INNER_STATE_OFFSET), state, function.stateBytes());
        function.update(state, data, length);
        function.finish(state, at(MAC_OFFSET));
        RawMemory.copy(at(OUTER_STATE_OFFSET), state, function.stateBytes());
        function.update(state, at(MAC_OFFSET), function.bytes());
        function.finish(state, out);
    }

    /** Wipes and frees the scratch memory. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            scratch.fill((byte) 0);
            allocator.free(scratch);
            account.released(SCRATCH_BYTES);
        }
    }
}
