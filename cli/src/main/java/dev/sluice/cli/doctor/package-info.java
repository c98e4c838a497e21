/**
 * The command {@code doctor}: its options and its exit code.
 *
 * <p>{@link dev.sluice.cli.doctor.DoctorCommand} is the entry. It parses the target and the limits, runs the audit of
 * {@code dev.sluice.doctor}, and prints the findings.
 *
 * <p>The command runs on the main thread and blocks until the audit is complete. It keeps no state between runs.
 *
 * <p>The exit code depends on the findings, so that a script can use the command as a check.
 */
@NullMarked
package dev.sluice.cli.doctor;

import org.jspecify.annotations.NullMarked;
