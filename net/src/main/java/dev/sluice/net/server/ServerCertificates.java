package dev.sluice.net.server;

import dev.sluice.tls.certificate.Identity;
import dev.sluice.tls.certificate.IdentitySource;
import dev.sluice.tls.context.ServerContextBuilder;
import dev.sluice.tls.context.ServerNameSelector;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.failure.TlsConfigurationException;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The TLS configuration of a server, from which the context of each loop is built. Immutable.
 *
 * @param hosts the certificates by server name; those of clients without a known name are under ""
 * @param settings applied to each context, behind the certificates
 */
record ServerCertificates(Map<String, List<IdentitySource>> hosts, Consumer<ServerContextBuilder> settings) {
    /** The name of the certificates for clients without a known server name. */
    static final String ANY_HOST = "";

    ServerCertificates {
        Map<String, List<IdentitySource>> copies = new LinkedHashMap<>();
        hosts.forEach((name, sources) -> copies.put(name, List.copyOf(sources)));
        hosts = copies;
        if (!hosts.containsKey(ANY_HOST)) {
            throw new TlsConfigurationException(
                    "a TLS server has no certificate; call certificate(chain, key) with PEM files");
        }
    }

    /**
     * Builds one context for each loop. Files are read and checked once.
     *
     * @return the caller closes each
     * @throws TlsConfigurationException with value, cause and remedy
     */
    List<SharedContext> build(int count, TicketKeyRing tickets) {
        Map<String, List<Identity>> loaded = new LinkedHashMap<>();
        List<SharedContext> contexts = new ArrayList<>();
        try {
            hosts.forEach((name, sources) -> {
                List<Identity> identities = new ArrayList<>();
                loaded.put(name, identities);
                sources.forEach(source -> identities.add(Identity.load(source)));
            });
            for (int i = 0; i < count; i++) {
                contexts.add(context(loaded, tickets));
            }
            return contexts;
        } catch (RuntimeException e) {
            contexts.forEach(SharedContext::close);
            throw e;
        } finally {
            loaded.values().forEach(each -> each.forEach(Identity::close));
        }
    }

    private SharedContext context(Map<String, List<Identity>> loaded, TicketKeyRing tickets) {
        if (loaded.size() == 1) {
            return host(ANY_HOST, loaded.getOrDefault(ANY_HOST, List.of()), tickets);
        }
        List<TlsContext> made = new ArrayList<>();
        try {
            ServerNameSelector.Builder selector = ServerNameSelector.builder();
            loaded.forEach((name, identities) -> {
                TlsContext context = host(name, identities, tickets);
                made.add(context);
                if (name.equals(ANY_HOST)) {
                    selector.fallback(context);
                } else {
                    selector.add(name, context);
                }
            });
            return selector.build();
        } finally {
            made.forEach(TlsContext::close); // the selector has them
        }
    }

    private TlsContext host(String name, List<Identity> identities, TicketKeyRing tickets) {
        ServerContextBuilder builder =
                TlsContext.server().virtualHost(name).ticketKeys(tickets).keepPeerChain();
        identities.forEach(builder::certificate);
        settings.accept(builder);
        return builder.build();
    }
}
