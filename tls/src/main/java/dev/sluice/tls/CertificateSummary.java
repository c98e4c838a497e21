package dev.sluice.tls;

/**
 * What a context's certificate is, for logs.
 *
 * @param source the file or name that it came from
 * @param subject RFC 2253 text
 * @param notAfter the last moment of validity, as OpenSSL prints it
 * @param sha256 fingerprint: 64 hexadecimal digits in pairs with colons
 */
public record CertificateSummary(String source, String subject, String notAfter, String sha256) {}
