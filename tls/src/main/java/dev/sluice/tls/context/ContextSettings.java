package dev.sluice.tls.context;

import dev.sluice.tls.certificate.CertificateSummary;
import dev.sluice.tls.certificate.ClientNames;
import dev.sluice.tls.certificate.Staples;
import dev.sluice.tls.ech.EchKeyRing;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.lean.LeanContext;
import dev.sluice.tls.ticket.TicketPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a built context that engines need.
 *
 * @param server true for servers
 * @param verifyMode {@code SSL_VERIFY_*}; without effect on pinned keys, which libssl does not verify
 * @param clients the verified clients that a server authorizes
 * @param oldest the oldest version allowed
 * @param newest the newest version allowed
 * @param tickets the tickets that a server sends
 * @param earlyData the early-data policy of a server; null to reject early data
 * @param staples the responses that a server staples
 * @param sessions the id context of a server's sessions
 * @param alpn the protocols that a server chooses from or a client offers
 * @param ringBytes the size of each of a {@link MemoryEngine}'s two rings
 * @param certificates the presented certificates
 * @param ignoredGroups requested groups that this OpenSSL lacks
 * @param peerChainKept true if a handshake's result carries the peer's certificates
 * @param lean the settings of the lean handshake; null where libssl does all handshakes
 * @param ech the keys for Encrypted ClientHello; null to ignore it
 */
public record ContextSettings(
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
        List<String> ignoredGroups,
        boolean peerChainKept,
        @Nullable LeanContext lean,
        @Nullable EchKeyRing ech) {}
