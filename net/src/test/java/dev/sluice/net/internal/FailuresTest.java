package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.tls.failure.EndReason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailuresTest {
    @Test
    void writesAddressesAsPeopleDo() throws UnknownHostException {
        InetAddress four = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        byte[] loopback = new byte[16];
        loopback[15] = 1;

        assertThat(Failures.text(new InetSocketAddress(four, 80))).isEqualTo("127.0.0.1:80");
        assertThat(Failures.text(new InetSocketAddress(InetAddress.getByAddress(loopback), 80)))
                .isEqualTo("[::1]:80");
        assertThat(Failures.text(UnixDomainSocketAddress.of("/run/api.sock"))).isEqualTo("/run/api.sock");
    }

    @Test
    void namesServerAndRemedyOfRefusedConnect() throws UnknownHostException {
        InetSocketAddress server = new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 80);

        assertThat(Failures.ofConnect(-Errno.ECONNREFUSED, server).message())
                .isEqualTo("the connection was refused (127.0.0.1:80); check that a server listens there");
    }

    /** By this reason the gateway tells a lack of its own machine from a server that is down. */
    @ParameterizedTest
    @ValueSource(ints = {Errno.ENOBUFS, Errno.ENOMEM})
    void aLackOfKernelMemoryIsNoFailureOfThePeer(int errno) {
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);

        assertThat(Failures.ofConnect(-errno, server).reason()).isEqualTo(EndReason.NO_KERNEL_MEMORY);
        assertThat(Failures.ofAccept(-errno, server).reason()).isEqualTo(EndReason.NO_KERNEL_MEMORY);
        assertThat(Failures.ofConnection(-errno, server).reason()).isEqualTo(EndReason.NO_KERNEL_MEMORY);
    }
}
