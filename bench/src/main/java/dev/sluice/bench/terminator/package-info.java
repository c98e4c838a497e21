/** TLS terminators side by side: the servers, the phases, the comparison. */
@NullMarked
package dev.sluice.bench.terminator;

import org.jspecify.annotations.NullMarked;
