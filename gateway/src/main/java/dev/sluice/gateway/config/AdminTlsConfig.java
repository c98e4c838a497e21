package dev.sluice.gateway.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * TLS of the admin endpoint.
 *
 * @param certificate PEM file with its certificate, the authorities between behind it
 * @param key PEM file with its private key, PKCS #8 without a passphrase
 * @param clientAuthorities PEM file of authorities, of which each client must show a certificate; null: clients need none
 */
public record AdminTlsConfig(
        Path certificate, Path key, @Nullable Path clientAuthorities) {}
