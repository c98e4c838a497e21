/**
 * The shared test utilities, independent of the product's modules, whose services are passed in as functions.
 *
 * <p>{@link dev.sluice.testkit.NativeBalance} checks that a test releases all descriptors and native memory. {@link
 * dev.sluice.testkit.ForeignProgram} runs third-party programs as peers or oracles, {@link
 * dev.sluice.testkit.TestCertificates} is a temporary authority, and {@link dev.sluice.testkit.Waiting} bounds waits.
 * {@link dev.sluice.testkit.AllocatedBytes} counts a thread's allocation on the Java heap.
 *
 * <p>Most helpers block their caller. Each class states its thread rule. Tests close the programs and files that they
 * start or open.
 */
@NullMarked
package dev.sluice.testkit;

import org.jspecify.annotations.NullMarked;
