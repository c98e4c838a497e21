/**
 * The command {@code doctor}: its options and exit code.
 *
 * <p>{@link dev.sluice.cli.doctor.DoctorCommand} is the entry. Everything runs on the command's own thread.
 */
@NullMarked
package dev.sluice.cli.doctor;

import org.jspecify.annotations.NullMarked;
