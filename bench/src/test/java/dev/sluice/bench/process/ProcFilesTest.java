package dev.sluice.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProcFilesTest {
    private static final String STAT =
            "42 (a (strange) name) S 1 42 42 0 -1 4194304 104 0 0 0 150 25 7 3 20 0 1 0 113368";

    @Test
    void cpuTimeIsUserAndSystemTimeAfterAnyName() {
        assertThat(ProcFiles.cpuNanos(STAT, false)).isEqualTo(1_750_000_000L);
    }

    @Test
    void reapedChildrenCountOnRequest() {
        assertThat(ProcFiles.cpuNanos(STAT, true)).isEqualTo(1_850_000_000L);
    }

    @Test
    void threadNamesAreTruncatedByTheKernel() {
        assertThat(ProcFiles.threadName("7 (C2 CompilerThre) S 1")).isEqualTo("C2 CompilerThre");
        assertThat(ProcFiles.threadName(STAT)).isEqualTo("a (strange) name");
        assertThat(ProcFiles.runNanos("42893083 63286701 154\n")).isEqualTo(42_893_083);
    }

    @Test
    void busyTimeExcludesIdleAndIowait() {
        String stat = "cpu  100 1 20 9999 888 3 4 5 50 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assertThat(ProcFiles.busyNanos(stat)).isEqualTo(133 * ProcFiles.TICK_NANOS);
    }

    @Test
    void readsSmapsRollupByExactKey() {
        String rollup = """
                5580f9ee9000-7ffc1e015000 ---p 00000000 00:00 0 [rollup]
                Pss:                1002 kB
                Pss_Anon:            573 kB
                Anonymous:           964 kB
                """;
        assertThat(ProcFiles.kilobytes(rollup, "Pss")).isEqualTo(1002 * 1024);
        assertThat(ProcFiles.kilobytes(rollup, "Pss_Anon")).isEqualTo(573 * 1024);
        assertThatThrownBy(() -> ProcFiles.kilobytes(rollup, "Swap")).hasMessageContaining("key=Swap");
    }

    @Test
    void parsesCpuListsWithRangesAndSingles() {
        assertThat(ProcFiles.cpuList(" 0-2,5,8-9\n")).containsExactly(0, 1, 2, 5, 8, 9);
    }

    @Test
    void reportsTheOpensslAtRunTime() {
        assertThat(OpenSslVersion.ofNginx(
                        "built with OpenSSL 3.0.20 7 Apr 2026 (running with OpenSSL 3.5.8 25 Aug 2026)"))
                .isEqualTo("3.5.8");
        assertThat(OpenSslVersion.ofNginx("built with OpenSSL 3.0.20 7 Apr 2026\nTLS SNI"))
                .isEqualTo("3.0.20");
        assertThat(OpenSslVersion.ofHaproxy("Built with OpenSSL version : OpenSSL 3.0.22 25 Aug 2026\n"
                        + "Running on OpenSSL version : OpenSSL 3.5.8 25 Aug 2026 (VERSIONS DIFFER!)"))
                .isEqualTo("3.5.8");
        assertThat(OpenSslVersion.ofHaproxy("Running on SSL library version : OpenSSL 3.6.5 29 Sep 2026"))
                .isEqualTo("3.6.5");
        assertThat(OpenSslVersion.ofSluice("sluice    0.1.0\nopenssl   OpenSSL 3.5.8 25 Aug 2026 from /x/libssl.so.3"))
                .isEqualTo("3.5.8");
        assertThat(OpenSslVersion.ofHaproxy("")).isEqualTo("unknown");
    }

    @Test
    void hardLimitIsTheSecondFigure() {
        String limits = """
                Limit                     Soft Limit           Hard Limit           Units
                Max processes             96085                unlimited            processes
                Max open files            1024                 20000                files
                """;
        assertThat(ProcFiles.hardLimit(limits, "Max open files")).isEqualTo(20_000);
        assertThat(ProcFiles.hardLimit(limits, "Max processes")).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void knowsPortsThatListen() {
        String tcp = """
                  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
                   0: 0100007F:12A6 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 20434 1
                   1: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 20471 1
                """;
        assertThat(ProcFiles.listens(tcp, 4774)).isTrue();
        assertThat(ProcFiles.listens(tcp, 8080)).isFalse();
    }
}
