/** The TLS terminator. */
@NullMarked
package dev.sluice.gateway;

import org.jspecify.annotations.NullMarked;
