package dev.sluice.config.acme;

import java.nio.file.Path;

/**
 * A customer's account at the authority, which the ACME account is bound to: RFC 8555 section 7.3.4.
 *
 * @param keyId the key's identifier
 * @param keyFile a file with the HMAC key, a line in base64url
 */
public record ExternalAccount(String keyId, Path keyFile) {}
