/** Clients that violate the protocol, the witness beside them, and the backend of both; each in its own process. */
@org.jspecify.annotations.NullMarked
package dev.sluice.bench.hostile;
