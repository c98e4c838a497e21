/** TLS handshake messages as bytes: written to ask servers what no library asks, and parsed as untrusted input. */
@NullMarked
package dev.sluice.doctor.wire;

import org.jspecify.annotations.NullMarked;
