/** How loops, transports and connections are built. Not for users. */
@NullMarked
package dev.sluice.net.internal;

import org.jspecify.annotations.NullMarked;
