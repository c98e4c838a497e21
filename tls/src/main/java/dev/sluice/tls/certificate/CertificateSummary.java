package dev.sluice.tls.certificate;

/**
 * A summary of a context's certificate, for logs.
 *
 * @param source the file or name of its origin
 * @param subject RFC 2253 text
 * @param notAfter the last moment of validity, as OpenSSL prints it
 * @param sha256 fingerprint: 64 hexadecimal digits in pairs with colons
 */
public record CertificateSummary(String source, String subject, String notAfter, String sha256) {}
