/** What a handshake costs a server: full and resumed, by version and kind of certificate. */
@NullMarked
package dev.sluice.bench.handshake;

import org.jspecify.annotations.NullMarked;
