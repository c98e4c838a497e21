/** OCSP responses for the gateway's certificates: fetched, verified, kept, and stapled. */
@NullMarked
package dev.sluice.gateway.ocsp;

import org.jspecify.annotations.NullMarked;
