/** Messages of TLS handshakes as bytes: written to ask a server what no library asks, read with the distrust that its answers deserve. */
@NullMarked
package dev.sluice.doctor.wire;

import org.jspecify.annotations.NullMarked;
