package dev.sluice.config.acme;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An account at an ACME server. The terms of service have been agreed to.
 *
 * @param directory the server's directory
 * @param email the contact; null: none
 * @param authorities PEM: the issuers of the server's own certificate; null: those of the JDK
 * @param external the customer's account that this one is bound to; null: none
 */
public record AcmeAccount(
        URI directory,
        @Nullable String email,
        @Nullable Path authorities,
        @Nullable ExternalAccount external) {}
