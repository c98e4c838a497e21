/**
 * Files of certificates, keys and revocation lists, as far as a configuration looks into them.
 *
 * <p>{@link dev.sluice.config.certificate.CertificateDirectory} pairs the files of a directory;
 * {@link dev.sluice.config.certificate.CertificateSources} and
 * {@link dev.sluice.config.certificate.UnusableCertificate} tell what can be served and what cannot, and why.
 *
 * <p>Immutable values, which may be shared by all threads.
 */
@NullMarked
package dev.sluice.config.certificate;

import org.jspecify.annotations.NullMarked;
