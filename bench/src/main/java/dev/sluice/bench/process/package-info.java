/** Third-party processes, their placement, and the kernel's accounting: CPU time, memory, OpenSSL. */
@NullMarked
package dev.sluice.bench.process;

import org.jspecify.annotations.NullMarked;
