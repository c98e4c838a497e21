/** Load for handshake storms: many simultaneous clients, and established connections. */
@NullMarked
package dev.sluice.bench.storm;

import org.jspecify.annotations.NullMarked;
