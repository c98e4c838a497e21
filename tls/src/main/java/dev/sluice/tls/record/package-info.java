/** The record layer after the handshake: keys, records sealed and opened in place. */
@NullMarked
package dev.sluice.tls.record;

import org.jspecify.annotations.NullMarked;
