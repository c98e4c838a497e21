package dev.sluice.jsse.context;

import dev.sluice.tls.context.ClientAuthentication;
import dev.sluice.tls.context.DelegatedContextBuilder.SuiteOrder;
import java.util.List;

/**
 * The settings of an engine that its native context is made from. Engines with equal ones share the context.
 *
 * @param role client or server
 * @param protocols the enabled versions
 * @param suites the enabled suites by preference
 * @param groups the key-exchange groups by preference; empty for the default
 * @param schemes the signature schemes by preference; empty for OpenSSL's default
 * @param alpn the protocols that a client offers, and that a server chooses from
 * @param clientAuthentication a server's policy
 * @param suiteOrder whose preference decides at a server
 * @param sessionSeconds the lifetime of sessions; 0 for the longest
 */
public record ContextProfile(
        EngineRole role,
        List<String> protocols,
        List<String> suites,
        List<String> groups,
        List<String> schemes,
        List<String> alpn,
        ClientAuthentication clientAuthentication,
        SuiteOrder suiteOrder,
        int sessionSeconds) {}
