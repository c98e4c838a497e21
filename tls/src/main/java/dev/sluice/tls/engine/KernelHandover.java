package dev.sluice.tls.engine;

import java.util.Locale;

/** The outcomes of handing a connection's records over to the kernel. */
public enum KernelHandover {
    /** The kernel protects the records. */
    KERNEL,
    /** The kernel lacks TLS. */
    KERNEL_LACKS_TLS,
    /** The kernel refused the keys: it lacks the cipher suite, or the version of TLS with it. */
    SUITE,
    /** The peer takes only records that are shorter than the kernel's. */
    SHORT_RECORDS,
    /** libssl has kept the connection; see {@link Detach}. */
    LIBSSL,
    /** The connection ended before a moment came at which nothing was under way between two records. */
    NEVER_AT_REST;

    /** Returns the name in metrics and logs. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
