/** Foreign processes, where they run, and what the kernel tells of them: CPU time, memory, OpenSSL. */
@NullMarked
package dev.sluice.bench.process;

import org.jspecify.annotations.NullMarked;
