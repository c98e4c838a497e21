package dev.sluice.tls;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a context was built with, as far as engines ask for it.
 *
 * @param server whether it is for servers
 * @param verifyMode {@code SSL_VERIFY_*}
 * @param clients which clients a server lets in, of those that verify
 * @param oldest the oldest version allowed
 * @param newest the newest version allowed
 * @param tickets the tickets a server sends
 * @param earlyData how a server takes early data; null: it does not
 * @param staples what a server staples to its certificates
 * @param sessions what a server's sessions are made under
 * @param alpn what a server chooses from, or a client offers
 * @param ringBytes the size of each of a {@link MemoryEngine}'s two rings
 * @param certificates what is presented
 * @param ignoredGroups groups asked for that this OpenSSL lacks
 */
record ContextSettings(
        boolean server,
        int verifyMode,
        ClientNames clients,
        ProtocolVersion oldest,
        ProtocolVersion newest,
        TicketPolicy tickets,
        @Nullable EarlyDataPolicy earlyData,
        Staples staples,
        SessionContext sessions,
        AlpnList alpn,
        int ringBytes,
        List<CertificateSummary> certificates,
        List<String> ignoredGroups) {}
