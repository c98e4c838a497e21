package dev.sluice.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SockAddrTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "255.255.255.255", "::1", "::", "2001:db8::ff00:42:8329"})
    void ipAddressesSurviveTheRoundTrip(String host) throws UnknownHostException {
        for (int port : new int[] {0, 1, 80, 32_768, 65_535}) {
            SocketAddress address = new InetSocketAddress(InetAddress.getByName(host), port);
            assertThat(roundTrip(address)).isEqualTo(address);
        }
    }

    @Test
    void keepsTheScopeIdInARoundTrip() throws UnknownHostException {
        byte[] linkLocal = InetAddress.getByName("fe80::1").getAddress();
        SocketAddress address = new InetSocketAddress(Inet6Address.getByAddress(null, linkLocal, 3), 443);
        assertThat(roundTrip(address)).isEqualTo(address);
    }

    @Test
    void keepsUnixPathsInARoundTrip() {
        SocketAddress address = UnixDomainSocketAddress.of("/run/größe.sock");
        assertThat(roundTrip(address)).isEqualTo(address);
        assertThat(roundTrip(UnixDomainSocketAddress.of("x".repeat(107)))).hasToString("x".repeat(107));
    }

    @Test
    void rejectsAddressesThatTheKernelCannotTake() {
        assertThatThrownBy(() -> roundTrip(UnixDomainSocketAddress.of("x".repeat(108))))
                .hasMessageContaining("108");
        assertThatThrownBy(() -> roundTrip(InetSocketAddress.createUnresolved("example.com", 1)))
                .hasMessageContaining("example.com");
    }

    /** Compares with the kernel: an address set with bind is read back with getsockname. */
    @Test
    void matchesTheKernelsEncoding() {
        try (Arena arena = Arena.ofConfined();
                LibC libc = new LibC()) {
            long memory = arena.allocate(SockAddr.MAX_BYTES + 8, 8).address();
            long length = memory + SockAddr.MAX_BYTES;
            int fd = libc.socket(Constants.AF_INET, Constants.SOCK_STREAM, 0);
            InetSocketAddress anyPort = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
            assertThat(libc.bind(fd, memory, SockAddr.encode(anyPort, memory))).isZero();
            RawMemory.putInt(length, SockAddr.MAX_BYTES);
            assertThat(libc.getsockname(fd, memory, length)).isZero();
            InetSocketAddress bound = (InetSocketAddress) SockAddr.decode(memory, RawMemory.getInt(length));
            assertThat(bound.getAddress()).isEqualTo(anyPort.getAddress());
            assertThat(bound.getPort()).isPositive();
            assertThat(libc.close(fd)).isZero();
            assertThat(libc.close(fd)).isEqualTo(-Errno.EBADF);
        }
    }

    private static SocketAddress roundTrip(SocketAddress address) {
        try (Arena arena = Arena.ofConfined()) {
            long memory = arena.allocate(SockAddr.MAX_BYTES, 8).address();
            return SockAddr.decode(memory, SockAddr.encode(address, memory));
        }
    }
}
