/** TLS terminators: the servers, the phases, the comparison. */
@NullMarked
package dev.sluice.bench.terminator;

import org.jspecify.annotations.NullMarked;
