/** The cost of a handshake for a server: full and resumed, by version and certificate. */
@NullMarked
package dev.sluice.bench.handshake;

import org.jspecify.annotations.NullMarked;
