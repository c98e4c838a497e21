/** Tells in numbers what a configuration costs more than it need. Nothing of it is loaded by a gateway that serves. */
@NullMarked
package dev.sluice.gateway.lint;

import org.jspecify.annotations.NullMarked;
