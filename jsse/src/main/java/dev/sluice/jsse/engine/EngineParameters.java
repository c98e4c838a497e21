package dev.sluice.jsse.engine;

import dev.sluice.jsse.context.ContextProfile;
import dev.sluice.jsse.context.EngineRole;
import dev.sluice.jsse.context.JsseSuites;
import dev.sluice.jsse.context.TlsProtocols;
import dev.sluice.tls.context.ClientAuthentication;
import dev.sluice.tls.context.ContextBuilder;
import dev.sluice.tls.context.DelegatedContextBuilder.SuiteOrder;
import java.security.AlgorithmConstraints;
import java.security.CryptoPrimitive;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.StandardConstants;
import org.jspecify.annotations.Nullable;

/** The settings of one engine, as the methods of {@code SSLEngine} and {@code SSLParameters} change them. */
public final class EngineParameters {
    private static final Set<CryptoPrimitive> KEY_AGREEMENT = EnumSet.of(CryptoPrimitive.KEY_AGREEMENT);
    private static final Set<CryptoPrimitive> SIGNATURE = EnumSet.of(CryptoPrimitive.SIGNATURE);

    private static final List<String> SERVER_GROUPS =
            List.of("P-521", "X448", "ffdhe2048", "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192");

    /** The permission to establish sessions, rather than only resume them. */
    enum SessionCreation {
        ALLOWED,
        FORBIDDEN
    }

    private List<String> protocols;
    private List<String> suites = JsseSuites.enabled();
    private ClientAuthentication clientAuthentication = ClientAuthentication.NONE;
    private SessionCreation sessionCreation = SessionCreation.ALLOWED;
    private SuiteOrder suiteOrder = SuiteOrder.OURS;
    private List<String> alpn = List.of();
    private @Nullable List<String> groups;
    private @Nullable List<String> schemes;
    private @Nullable String endpointIdentification;
    private @Nullable AlgorithmConstraints constraints;
    private @Nullable List<SNIServerName> serverNames;
    private @Nullable Collection<SNIMatcher> matchers;
    private int maximumPacketSize;

    /** Creates the defaults of a context. */
    public EngineParameters(List<String> protocols) {
        this.protocols = protocols;
    }

    List<String> protocols() {
        return protocols;
    }

    void protocols(List<String> enabled) {
        protocols = enabled;
    }

    List<String> suites() {
        return suites;
    }

    void suites(List<String> enabled) {
        suites = enabled;
    }

    ClientAuthentication clientAuthentication() {
        return clientAuthentication;
    }

    void clientAuthentication(ClientAuthentication mode) {
        clientAuthentication = mode;
    }

    SessionCreation sessionCreation() {
        return sessionCreation;
    }

    void sessionCreation(SessionCreation allowed) {
        sessionCreation = allowed;
    }

    List<String> alpn() {
        return alpn;
    }

    @Nullable
    String endpointIdentification() {
        return endpointIdentification;
    }

    int maximumPacketSize() {
        return maximumPacketSize;
    }

    /** Returns the names to send by SNI: those that were set, or else the peer's host if it is a domain name. */
    List<SNIServerName> serverNames(@Nullable String peerHost) {
        List<SNIServerName> names = serverNames;
        if (names != null) {
            return names;
        }
        return peerHost == null || !isDomainName(peerHost) ? List.of() : List.of(new SNIHostName(trimmed(peerHost)));
    }

    private static String trimmed(String host) {
        return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }

    private static boolean isDomainName(String host) {
        String name = trimmed(host);
        int dot = name.indexOf('.');
        boolean address = name.indexOf(':') >= 0 || name.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
        if (dot <= 0 || address) {
            return false;
        }
        try {
            return !new SNIHostName(name).getAsciiName().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns whether a server with these settings answers to a name; any name where no matcher is for hosts. */
    boolean accepts(SNIHostName name) {
        Collection<SNIMatcher> all = matchers;
        if (all == null || all.isEmpty()) {
            return true;
        }
        boolean anyForHosts = false;
        for (SNIMatcher matcher : all) {
            if (matcher.getType() == StandardConstants.SNI_HOST_NAME) {
                if (matcher.matches(name)) {
                    return true;
                }
                anyForHosts = true;
            }
        }
        return !anyForHosts;
    }

    /** Returns the part that the native context is made from. */
    ContextProfile profile(EngineRole role, int sessionSeconds) {
        return new ContextProfile(
                role,
                permitted(protocols, KEY_AGREEMENT),
                permitted(suites, KEY_AGREEMENT),
                permitted(groups == null ? defaultGroups(role) : groups, KEY_AGREEMENT),
                schemes == null ? List.of() : permitted(schemes, SIGNATURE),
                role == EngineRole.CLIENT ? alpn : List.of(),
                role == EngineRole.CLIENT ? ClientAuthentication.NONE : clientAuthentication,
                suiteOrder,
                sessionSeconds);
    }

    /** Returns the groups of SunJSSE at servers; clients name fewer, since each makes the ClientHello longer. */
    private static List<String> defaultGroups(EngineRole role) {
        List<String> preferred = ContextBuilder.DEFAULT_GROUPS;
        return role == EngineRole.CLIENT
                ? preferred
                : Stream.concat(preferred.stream(), SERVER_GROUPS.stream()).toList();
    }

    private List<String> permitted(List<String> names, Set<CryptoPrimitive> use) {
        AlgorithmConstraints limits = constraints;
        return limits == null
                ? names
                : names.stream().filter(name -> limits.permits(use, name, null)).toList();
    }

    /** Returns the settings as parameters, which the caller may change. */
    public SSLParameters toParameters(@Nullable String peerHost) {
        SSLParameters parameters = new SSLParameters(suites.toArray(String[]::new), protocols.toArray(String[]::new));
        switch (clientAuthentication) {
            case NONE -> {}
            case OPTIONAL -> parameters.setWantClientAuth(true);
            case REQUIRED -> parameters.setNeedClientAuth(true);
        }
        parameters.setUseCipherSuitesOrder(suiteOrder == SuiteOrder.OURS);
        parameters.setApplicationProtocols(alpn.toArray(String[]::new));
        parameters.setEndpointIdentificationAlgorithm(endpointIdentification);
        parameters.setAlgorithmConstraints(constraints);
        List<SNIServerName> names = serverNames == null ? serverNames(peerHost) : serverNames;
        if (serverNames != null || !names.isEmpty()) {
            parameters.setServerNames(names);
        }
        if (matchers != null) {
            parameters.setSNIMatchers(matchers);
        }
        parameters.setNamedGroups(groups == null ? null : groups.toArray(String[]::new));
        parameters.setSignatureSchemes(schemes == null ? null : schemes.toArray(String[]::new));
        parameters.setMaximumPacketSize(maximumPacketSize);
        return parameters;
    }

    /**
     * Takes over parameters; what is null in them stays as it is.
     *
     * @throws IllegalArgumentException when a suite or protocol is not supported; nothing has changed then
     */
    void apply(SSLParameters parameters) {
        String[] newSuites = parameters.getCipherSuites();
        String[] newProtocols = parameters.getProtocols();
        List<String> enabledSuites = newSuites == null ? suites : JsseSuites.require(newSuites);
        List<String> enabledProtocols = newProtocols == null ? protocols : TlsProtocols.require(newProtocols);
        suites = enabledSuites;
        protocols = enabledProtocols;
        if (parameters.getNeedClientAuth()) {
            clientAuthentication = ClientAuthentication.REQUIRED;
        } else {
            clientAuthentication =
                    parameters.getWantClientAuth() ? ClientAuthentication.OPTIONAL : ClientAuthentication.NONE;
        }
        suiteOrder = parameters.getUseCipherSuitesOrder() ? SuiteOrder.OURS : SuiteOrder.PEERS;
        applyOptional(parameters);
        maximumPacketSize = parameters.getMaximumPacketSize();
    }

    private void applyOptional(SSLParameters parameters) {
        String[] protocolNames = parameters.getApplicationProtocols();
        if (protocolNames != null) {
            alpn = List.copyOf(Arrays.asList(protocolNames));
        }
        if (parameters.getEndpointIdentificationAlgorithm() != null) {
            endpointIdentification = parameters.getEndpointIdentificationAlgorithm();
        }
        if (parameters.getAlgorithmConstraints() != null) {
            constraints = parameters.getAlgorithmConstraints();
        }
        if (parameters.getServerNames() != null) {
            serverNames = parameters.getServerNames();
        }
        if (parameters.getSNIMatchers() != null) {
            matchers = parameters.getSNIMatchers();
        }
        if (parameters.getNamedGroups() != null) {
            groups = List.copyOf(Arrays.asList(parameters.getNamedGroups()));
        }
        if (parameters.getSignatureSchemes() != null) {
            schemes = List.copyOf(Arrays.asList(parameters.getSignatureSchemes()));
        }
    }
}
