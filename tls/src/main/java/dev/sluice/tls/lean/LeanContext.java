package dev.sluice.tls.lean;

import dev.sluice.ffi.openssl.digest.Sha2;
import dev.sluice.tls.record.CipherSuite;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server context for the lean handshake. Immutable; may be used from any thread. Owns its identities.
 *
 * @param identities the certificates, the preferred first
 * @param suites the suites by preference
 * @param groups the groups by preference
 * @param tickets the number of tickets after a full handshake
 * @param keys the ring that seals them; null when there are none
 * @param sessionContext the id context of its sessions
 * @param sessionSeconds the lifetime of its sessions
 */
public record LeanContext(
        List<LeanIdentity> identities,
        List<CipherSuite> suites,
        List<NamedGroup> groups,
        int tickets,
        @Nullable TicketKeyRing keys,
        SessionMark sessionContext,
        long sessionSeconds)
        implements AutoCloseable {
    /** More tickets than this are left to libssl, since they need not fit into a buffer. */
    private static final int MAX_TICKETS = 8;

    /** The id context that a session is marked with, at most 32 bytes. */
    @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
    public record SessionMark(byte[] id) {}

    /**
     * Returns the settings, if the lean handshake supports all of them.
     *
     * @param identities owned from now on; closed when the result is null
     * @param suites IANA names
     * @param groups names that this OpenSSL knows
     * @param keys the ring that seals tickets; null for none, or for keys of libssl
     */
    public static @Nullable LeanContext of(
            List<LeanIdentity> identities,
            List<String> suites,
            List<String> groups,
            int tickets,
            @Nullable TicketKeyRing keys,
            SessionMark sessionContext,
            long sessionSeconds) {
        List<CipherSuite> knownSuites = new ArrayList<>();
        suites.forEach(name -> addIfKnown(knownSuites, CipherSuite.byName(name)));
        List<NamedGroup> knownGroups = new ArrayList<>();
        groups.forEach(name -> addIfKnown(knownGroups, NamedGroup.byName(name)));
        boolean complete = knownSuites.size() == suites.size()
                && !suites.isEmpty()
                && knownGroups.size() == groups.size()
                && identities.stream().noneMatch(each -> each.schemes().isEmpty())
                && (tickets == 0 || keys != null)
                && tickets <= MAX_TICKETS
                && Sha2.isAvailable();
        if (!complete) {
            identities.forEach(LeanIdentity::close);
            return null;
        }
        return new LeanContext(
                List.copyOf(identities),
                List.copyOf(knownSuites),
                List.copyOf(knownGroups),
                tickets,
                keys,
                sessionContext,
                sessionSeconds);
    }

    private static <T> void addIfKnown(List<T> to, @Nullable T element) {
        if (element != null) {
            to.add(element);
        }
    }

    @Override
    public void close() {
        identities.forEach(LeanIdentity::close);
    }
}
