package dev.sluice.bench.idle;

import dev.sluice.bench.load.TlsProfile;
import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.SockAddr;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.MemoryEngine;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;

/** The tools that the connections of a thread of clients share: system calls, scratch memory, the TLS context. */
final class CrowdTools implements AutoCloseable {
    static final int SCRATCH_BYTES = 4096;

    private static final long PATIENCE_SECONDS = 30;
    /** {@code struct timeval}. */
    private static final int TIMEVAL_BYTES = 16;
    /** Certificates are not verified, so no host name is needed. */
    private static final String NO_HOST = "";

    private final LibC libc = new LibC();
    private final MallocAllocator allocator = new MallocAllocator();
    private final MemorySegment scratch = allocator.allocate(SCRATCH_BYTES, Long.BYTES);
    private final TlsContext context = TlsContext.client()
            .versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3)
            .cipherSuites(List.of(TlsProfile.SUITE))
            .groups(List.of(TlsProfile.GROUP))
            .dangerouslyTrustAnyone()
            .build();

    /** Connects from an address, and completes the handshake. */
    CrowdMember connect(InetSocketAddress source, InetSocketAddress server) {
        int fd = checked("socket", libc.socket(SockAddr.family(server), Constants.SOCK_STREAM, 0));
        try {
            setPatience(fd);
            long address = scratch.address();
            checked("bind", libc.bind(fd, address, SockAddr.encode(source, address)));
            checked("connect", libc.connect(fd, address, SockAddr.encode(server, address)));
        } catch (RuntimeException e) {
            libc.close(fd);
            throw e;
        }
        return new CrowdMember(this, fd, MemoryEngine.client(context, NO_HOST));
    }

    private void setPatience(int fd) {
        long timeval = scratch.address();
        RawMemory.zero(timeval, TIMEVAL_BYTES);
        RawMemory.putLong(timeval, PATIENCE_SECONDS);
        checked("setsockopt", libc.setsockopt(fd, Constants.SOL_SOCKET, Constants.SO_RCVTIMEO, timeval, TIMEVAL_BYTES));
    }

    /** Returns the address of the scratch memory, {@link #SCRATCH_BYTES} for one call. */
    long scratch() {
        return scratch.address();
    }

    /** Sends; returns the number of accepted bytes. */
    int send(int fd, long address, int length) {
        return checked("send", (int) libc.send(fd, address, length, Constants.MSG_NOSIGNAL));
    }

    /** Receives at least one byte. */
    int receive(int fd, long address, int capacity) {
        int count = checked("recv", (int) libc.recv(fd, address, capacity, 0));
        if (count == 0) {
            throw new IllegalStateException("the server ended a connection");
        }
        return count;
    }

    /** Returns true while neither bytes nor an end have arrived on a resting connection. */
    boolean isResting(int fd) {
        return libc.recv(fd, scratch.address(), 1, Constants.MSG_PEEK | Constants.MSG_DONTWAIT) == -Errno.EAGAIN;
    }

    void close(int fd) {
        libc.close(fd);
    }

    private static int checked(String call, int result) {
        if (result < 0) {
            throw new IllegalStateException(call + ": " + Errno.describe(result));
        }
        return result;
    }

    @Override
    public void close() {
        context.close();
        allocator.free(scratch);
        libc.close();
    }
}
