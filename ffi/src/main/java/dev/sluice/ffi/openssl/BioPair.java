package dev.sluice.ffi.openssl;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.fault.FaultPoint;

/**
 * A pair of rings between libssl and the transport ({@code BIO_new_bio_pair}); the transport receives into and sends
 * from their memory directly.
 *
 * <pre>
 *   socket ── receive ──▶ [ incoming ring ] ── SSL_read ──▶ plaintext
 *   socket ◀── send ───── [ outgoing ring ] ◀── SSL_write ── plaintext
 *            network side                    library side
 * </pre>
 *
 * <p>The library side belongs to the {@code SSL} from {@link Ssl#attach} on; this class frees the network side and the
 * rings. Confined to one thread; no call allocates.
 */
public final class BioPair implements AutoCloseable {
    private static final Ledger.Account ACCOUNT = Ledger.process().account("BIO pair");

    private final SslScratch scratch = new SslScratch();
    private final int ringBytes;
    private final long librarySide;
    private long networkSide;
    private boolean librarySideHandedOver;

    /**
     * Creates a pair.
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

    /**
     * Returns the number of contiguous bytes written by libssl and not sent yet; less than {@link #unsent} where the
     * ring wraps.
     */
    public int sendLength() {
        return Math.max(0, LibCrypto.BIO_nread0(networkSide, scratch.first()));
    }

    /** Returns the address of those bytes, valid until {@link #sent}. */
    public long sendAddress() {
        return LibCrypto.BIO_nread0(networkSide, scratch.first()) > 0 ? RawMemory.getLong(scratch.first()) : 0;
    }

    /** Removes the first bytes from the ring after they were sent. */
    public void sent(int count) {
        if (count > 0) {
            LibCrypto.BIO_nread(networkSide, scratch.first(), count);
        }
    }

    /** Returns the contiguous room for received bytes; 0 when the ring is full. */
    public int receiveCapacity() {
        return Math.max(0, LibCrypto.BIO_nwrite0(networkSide, scratch.first()));
    }

    /** Returns the address of that room; it may change when libssl empties the ring. */
    public long receiveAddress() {
        return LibCrypto.BIO_nwrite0(networkSide, scratch.first()) > 0 ? RawMemory.getLong(scratch.first()) : 0;
    }

    /** Adds bytes written at {@link #receiveAddress()} to the ring. */
    public void received(int count) {
        if (count > 0) {
            LibCrypto.BIO_nwrite(networkSide, scratch.first(), count);
        }
    }

    /** Marks the end of the stream: libssl sees it after the bytes in the ring. */
    public void endOfStream() {
        LibCrypto.BIO_ctrl(networkSide, OpenSslConstants.BIO_C_SHUTDOWN_WR, 0, 0);
    }

    /** Returns the number of bytes written by libssl and not sent yet, including those after the wrap. */
    public int unsent() {
        return (int) LibCrypto.BIO_ctrl(networkSide, OpenSslConstants.BIO_CTRL_PENDING, 0, 0);
    }

    /** Returns the number of received bytes that libssl has not read yet. */
    public int unread() {
        return (int) LibCrypto.BIO_ctrl(librarySide, OpenSslConstants.BIO_CTRL_PENDING, 0, 0);
    }

    /** Returns the number of contiguous received bytes that libssl has not read yet. */
    public int unreadLength() {
        return Math.max(0, LibCrypto.BIO_nread0(librarySide, scratch.first()));
    }

    /** Returns the address of those bytes. */
    public long unreadAddress() {
        return LibCrypto.BIO_nread0(librarySide, scratch.first()) > 0 ? RawMemory.getLong(scratch.first()) : 0;
    }

    /** Removes received bytes from the ring before libssl reads them. */
    public void takeUnread(int count) {
        LibCrypto.BIO_nread(librarySide, scratch.first(), count);
    }

    /** Returns the number of bytes that libssl can write before the outgoing ring is full. */
    public int writeRoom() {
        return (int) LibCrypto.BIO_ctrl(librarySide, OpenSslConstants.BIO_C_GET_WRITE_GUARANTEE, 0, 0);
    }

    long handOverLibrarySide() {
        librarySideHandedOver = true;
        return librarySide;
    }

    /** Frees the network side and, unless an {@code SSL} owns it, the library side. Idempotent. */
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
