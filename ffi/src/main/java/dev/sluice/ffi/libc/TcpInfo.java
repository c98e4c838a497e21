package dev.sluice.ffi.libc;

/**
 * The front of {@code struct tcp_info} of netinet/tcp.h, the value of {@link Constants#TCP_INFO}.
 *
 * <pre>
 *   0         52                              56
 *   +---...---+-------------------------------+
 *   |         | millis (tcpi_last_data_recv)  |
 *   +---...---+-------------------------------+
 * </pre>
 */
public final class TcpInfo {
    /** Offset of the milliseconds since the peer's last bytes arrived, 32 bits. */
    public static final int LAST_DATA_RECEIVED_OFFSET = 52;
    /** Size of the part described here; the kernel writes no more than it is given. */
    public static final int BYTES = 56;

    private TcpInfo() {}

    /** Returns the milliseconds since the peer's last bytes arrived. */
    public static long millisSinceReceived(long address) {
        return Integer.toUnsignedLong(RawMemory.getInt(address + LAST_DATA_RECEIVED_OFFSET));
    }
}
