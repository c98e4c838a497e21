package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NativeBalanceTest {
    @Test
    void reportsAnOpenSocketAsALeak() throws Exception {
        NativeBalance<?> balance = new NativeBalance<>(Duration.ofMillis(100), List::of, before -> List.of());
        balance.mark();
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(socket.isBound()).isTrue();
            assertThat(Descriptors.list(ProcessHandle.current().pid())).anyMatch(name -> name.contains("socket:["));
            assertThatThrownBy(balance::verify)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("socket:[");
        }
        balance.verify();
    }

    @Test
    void reportsAGrownAccountButNotALateRelease() {
        AtomicInteger held = new AtomicInteger(1);
        AtomicInteger looks = new AtomicInteger();
        NativeBalance<Integer> balance = NativeBalance.of(held::get, before -> {
            if (looks.incrementAndGet() == 3) {
                held.set(before);
            }
            return held.get() > before ? List.of("leak: " + held.get()) : List.of();
        });
        balance.mark();
        held.set(2);

        balance.verify();

        assertThat(looks).hasValueGreaterThanOrEqualTo(3);
    }
}
