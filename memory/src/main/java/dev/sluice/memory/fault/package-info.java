/**
 * Fault injection for tests of Sluice's own modules.
 *
 * <p>{@link dev.sluice.memory.fault.FaultPoint} is the entry: each constant is a kind of call that a test can make
 * fail. Product code marks the call with {@link dev.sluice.memory.fault.FaultPoint#reach}; a test arms one kind with
 * {@link dev.sluice.memory.fault.FaultPoint#arm} for the nth call of the threads that it selects.
 *
 * <p>A fault runs on the thread that makes the call. One kind is armed at a time, and closing the armed fault disarms
 * it. In production the points are off and cost nothing.
 */
@NullMarked
package dev.sluice.memory.fault;

import org.jspecify.annotations.NullMarked;
