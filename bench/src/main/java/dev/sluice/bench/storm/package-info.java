/** Load for storms of handshakes: many clients that come at once, and those who are there already. */
@NullMarked
package dev.sluice.bench.storm;

import org.jspecify.annotations.NullMarked;
