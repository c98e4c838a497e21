/**
 * Audits of TLS endpoints and of this machine.
 *
 * <pre>
 *   doctor ──▶ audit ──▶ probe ──▶ wire
 *      └────────┴─▶ finding
 * </pre>
 *
 * <p>{@link dev.sluice.doctor.Doctor} audits one endpoint, {@link dev.sluice.doctor.NativeDoctor} the OpenSSL, kernel
 * and processor found here. Both block and are confined to their caller's thread.
 */
@NullMarked
package dev.sluice.doctor;

import org.jspecify.annotations.NullMarked;
