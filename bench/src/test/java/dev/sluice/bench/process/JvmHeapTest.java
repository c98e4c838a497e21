package dev.sluice.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bench.harness.BenchException;
import org.junit.jupiter.api.Test;

class JvmHeapTest {
    @Test
    void addsUpTheGenerationsOfAHeap() {
        assertThat(JvmHeap.usedBytes("""
                4711:
                 DefNew     total 2816K, used 100K [0x00000000e0000000, 0x00000000e0300000, 0x00000000e0300000)
                  eden space 2560K,   4% used [0x00000000e0000000, 0x00000000e0000000, 0x00000000e0280000)
                 Tenured    total 13312K, used 5000K [0x00000000e0300000, 0x00000000e1000000, 0x0000000100000000)
                   the  space 13312K,  37% used [0x00000000e0300000, 0x00000000e07e2000, 0x00000000e1000000)
                 Metaspace       used 9876K, committed 10240K, reserved 1114112K
                  class space    used 1000K, committed 1200K, reserved 1048576K
                """)).isEqualTo(5100 * 1024L);
        assertThatThrownBy(() -> JvmHeap.usedBytes("no such process")).isInstanceOf(BenchException.class);
    }

    @Test
    void asksAJvmForItsHeap() throws Exception {
        assertThat(JvmHeap.liveBytes(ProcessHandle.current().pid())).isPositive();
    }
}
