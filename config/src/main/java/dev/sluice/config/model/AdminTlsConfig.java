package dev.sluice.config.model;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings of the admin endpoint.
 *
 * @param certificate PEM file with its certificate, followed by the intermediates
 * @param key PEM file with its private key, PKCS #8 without a passphrase
 * @param clientAuthorities PEM file of the authorities that every client's certificate must chain to; null: no client
 *     authentication
 */
public record AdminTlsConfig(
        Path certificate, Path key, @Nullable Path clientAuthorities) {}
