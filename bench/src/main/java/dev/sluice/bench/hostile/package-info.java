/**
 * Hostile clients that violate the protocol, the honest witness beside them, and the backend of both.
 *
 * <p>{@link dev.sluice.bench.hostile.HostileMain} is the entry of the attacking process, whose attacks {@link
 * dev.sluice.bench.hostile.HostileKind} lists. {@link dev.sluice.bench.hostile.WitnessMain} is the entry of the other
 * process, with the witness and the backend.
 *
 * <p>Hostile clients run on virtual threads with one carrier, so that only one runs at a time. The backend uses a
 * virtual thread per connection. Both processes exit at the end of their input.
 */
@org.jspecify.annotations.NullMarked
package dev.sluice.bench.hostile;
