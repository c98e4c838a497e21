package dev.sluice.ffi.openssl;

import dev.sluice.ffi.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.fault.FaultPoint;

/**
 * Two rings between libssl and us ({@code BIO_new_bio_pair}), whose memory we receive into and send from directly.
 *
 * <pre>
 *   socket ── receive ──▶ [ incoming ring ] ── SSL_read ──▶ plaintext
 *   socket ◀── send ───── [ outgoing ring ] ◀── SSL_write ── plaintext
 *            network side                    library side
 * </pre>
 *
 * <p>The library side belongs to the {@code SSL} from {@link Ssl#attach} on; the network side and the rings are freed
 * here. Confined to one thread; no call allocates.
 */
public final class BioPair implements AutoCloseable {
    private static final Ledger.Account ACCOUNT = Ledger.process().account("BIO pair");

    private final Scratch scratch = new Scratch();
    private final int ringBytes;
    private final long librarySide;
    private long networkSide;
    private boolean librarySideHandedOver;

    /**
     * Makes a pair.
     *
     * @param ringBytes the size of each of the two rings
     */
    public BioPair(int ringBytes) {
        try {
            make(ringBytes);
        } catch (Throwable t) {
            scratch.close();
            throw t;
        }
        this.ringBytes = ringBytes;
        this.librarySide = RawMemory.getLong(scratch.first());
        this.networkSide = RawMemory.getLong(scratch.second());
        ACCOUNT.acquired(2L * ringBytes);
    }

    private void make(int bytes) {
        FaultPoint.LIBSSL.reach();
        ErrorQueue.clear();
        if (LibCrypto.BIO_new_bio_pair(scratch.first(), bytes, scratch.second(), bytes) != 1) {
            throw OpenSslException.drained("BIO_new_bio_pair of " + bytes + " bytes failed");
        }
    }

    /** Bytes that libssl has written and that wait to be sent, contiguous: fewer than all where the ring wraps. */
    public int sendLength() {
        return Math.max(0, LibCrypto.BIO_nread0(networkSide, scratch.first()));
    }

    /** Where those bytes lie; the address stays until {@link #sent}. */
    public long sendAddress() {
        return LibCrypto.BIO_nread0(networkSide, scratch.first()) > 0 ? RawMemory.getLong(scratch.first()) : 0;
    }

    /** The first bytes were sent and leave the ring. */
    public void sent(int count) {
        if (count > 0) {
            LibCrypto.BIO_nread(networkSide, scratch.first(), count);
        }
    }

    /** Room for received bytes, contiguous; 0 when the ring is full. */
    public int receiveCapacity() {
        return Math.max(0, LibCrypto.BIO_nwrite0(networkSide, scratch.first()));
    }

    /** Where that room lies; it may move when the library side reads the ring empty. */
    public long receiveAddress() {
        return LibCrypto.BIO_nwrite0(networkSide, scratch.first()) > 0 ? RawMemory.getLong(scratch.first()) : 0;
    }

    /** Bytes were put where {@link #receiveAddress()} now says, and join the ring. */
    public void received(int count) {
        if (count > 0) {
            LibCrypto.BIO_nwrite(networkSide, scratch.first(), count);
        }
    }

    /** No more bytes will be received: libssl sees the end of the stream behind those in the ring. */
    public void endOfStream() {
        LibCrypto.BIO_ctrl(networkSide, OpenSslConstants.BIO_C_SHUTDOWN_WR, 0, 0);
    }

    /** Bytes that libssl has written and that wait to be sent, those behind the ring's end included. */
    public int unsent() {
        return (int) LibCrypto.BIO_ctrl(networkSide, OpenSslConstants.BIO_CTRL_PENDING, 0, 0);
    }

    /** Received bytes that libssl has not taken yet. */
    public int unread() {
        return (int) LibCrypto.BIO_ctrl(librarySide, OpenSslConstants.BIO_CTRL_PENDING, 0, 0);
    }

    /** Of the received bytes that libssl has not taken, those that lie in one piece. */
    public int unreadLength() {
        return Math.max(0, LibCrypto.BIO_nread0(librarySide, scratch.first()));
    }

    /** Where that piece lies. */
    public long unreadAddress() {
        return LibCrypto.BIO_nread0(librarySide, scratch.first()) > 0 ? RawMemory.getLong(scratch.first()) : 0;
    }

    /** Takes received bytes off libssl, of which they will never be part. */
    public void takeUnread(int count) {
        LibCrypto.BIO_nread(librarySide, scratch.first(), count);
    }

    /** Bytes that libssl can write before the outgoing ring is full. */
    public int writeRoom() {
        return (int) LibCrypto.BIO_ctrl(librarySide, OpenSslConstants.BIO_C_GET_WRITE_GUARANTEE, 0, 0);
    }

    long handOverLibrarySide() {
        librarySideHandedOver = true;
        return librarySide;
    }

    /** Frees the network side and, unless an {@code SSL} owns it, the library side. Again without effect. */
    @Override
    public void close() {
        if (networkSide == 0) {
            return;
        }
        LibCrypto.BIO_free(networkSide);
        networkSide = 0;
        if (!librarySideHandedOver) {
            LibCrypto.BIO_free(librarySide);
        }
        scratch.close();
        ACCOUNT.released(2L * ringBytes);
    }
}
