/** Peers, transports and bytes that the tests of several packages share. */
@NullMarked
package dev.sluice.tls;

import org.jspecify.annotations.NullMarked;
