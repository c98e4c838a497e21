package dev.sluice.gateway.session;

import dev.sluice.config.model.RecordProtection;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.outcome.LoopCounters;
import dev.sluice.net.TlsConnection;
import dev.sluice.tls.engine.KernelHandover;
import dev.sluice.tls.engine.KernelTls;

/** The answers to whether a listener's connections are handed over to the kernel behind the handshake. */
enum KernelRecords {
    /** They are not. */
    NOT_WANTED,
    /** They should be, and the kernel lacks TLS. */
    LACKING,
    /** They are. */
    WANTED;

    /** Looks whether the kernel has TLS, where that is of interest. */
    static KernelRecords of(RecordProtection wanted) {
        if (wanted == RecordProtection.DIRECT) {
            return NOT_WANTED;
        }
        try (LibC libc = new LibC()) {
            return KernelTls.unavailable(libc).isEmpty() ? WANTED : LACKING;
        }
    }

    /** Hands a connection over whose handshake is complete, and counts what becomes of it. */
    void offer(TlsConnection connection, LoopCounters counters) {
        switch (this) {
            case NOT_WANTED -> {}
            case LACKING -> counters.increment(Metric.TLS_KERNEL_RECORDS, KernelHandover.KERNEL_LACKS_TLS);
            case WANTED -> connection.handToKernel(outcome -> counters.increment(Metric.TLS_KERNEL_RECORDS, outcome));
        }
    }
}
