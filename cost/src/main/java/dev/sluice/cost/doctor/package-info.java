/** The audit of one TLS endpoint, and of the native side of this machine. */
@NullMarked
package dev.sluice.cost.doctor;

import org.jspecify.annotations.NullMarked;
