/** Where ticket keys come from, and how they get into a gateway's ring. For the gateway's own use. */
@NullMarked
package dev.sluice.gateway.tickets;

import org.jspecify.annotations.NullMarked;
