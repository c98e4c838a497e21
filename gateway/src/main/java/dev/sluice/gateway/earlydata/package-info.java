/** Early data (0-RTT): what may be acted upon before its client has proven to be there, and what waits. */
@NullMarked
package dev.sluice.gateway.earlydata;

import org.jspecify.annotations.NullMarked;
