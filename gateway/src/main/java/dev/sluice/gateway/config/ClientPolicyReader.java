package dev.sluice.gateway.config;

import dev.sluice.tls.ClientNames;
import dev.sluice.tls.TlsConfigurationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads how clients prove who they are: the keys {@code client-…} of a listener and of its {@code hosts}. */
final class ClientPolicyReader {
    private static final String MODE = "client-auth";
    private static final String AUTHORITIES = "client-ca";
    private static final String REVOCATIONS = "client-crl";
    private static final String DEPTH = "client-depth";
    private static final String NAMES = "client-names";
    private static final String HOSTS = "hosts";
    private static final String NAME = "sni";

    /** The keys in a listener. */
    static final List<String> KEYS = List.of(MODE, AUTHORITIES, REVOCATIONS, DEPTH, NAMES, HOSTS);

    private static final List<String> HOST_KEYS = List.of(NAME, MODE, AUTHORITIES, REVOCATIONS, DEPTH, NAMES);

    /** OpenSSL's own limit. */
    private static final int DEPTH_MAX = 100;

    private final Path directory;
    private final TlsCheck check;

    ClientPolicyReader(Path directory, TlsCheck check) {
        this.directory = directory;
        this.check = check;
    }

    /** Puts what a listener's section says into options. */
    TlsOptions read(Section listener, TlsOptions options) {
        Value list = listener.find(HOSTS);
        ClientPolicy common = policy(listener, null, list != null);
        List<HostPolicy> hosts = new ArrayList<>();
        Set<ServerNamePattern> seen = new HashSet<>();
        for (Value item : list == null ? List.<Value>of() : list.items()) {
            HostPolicy host = host(item.named("a host"), common);
            if (host != null && !seen.add(host.name())) {
                item.problem("host " + host.name() + " stands twice; remove one");
            } else if (host != null) {
                hosts.add(host);
            }
        }
        ClientAuth mode = common.mode();
        return options.withClients(mode == ClientAuth.NONE ? ClientPolicy.NONE : common, hosts);
    }

    private @Nullable HostPolicy host(Value item, ClientPolicy common) {
        Section section = item.section(HOST_KEYS);
        Value name = section == null ? null : section.require(NAME, "admin.example.com");
        if (section == null || name == null) {
            return null;
        }
        ServerNamePattern pattern = ServerNamePattern.read(name);
        ClientPolicy policy = policy(section, common, false);
        return pattern.equals(ServerNamePattern.ANY) ? null : new HostPolicy(pattern, policy);
    }

    /**
     * Reads a section's keys.
     *
     * @param common what holds where the section names no authorities of its own; null: nothing does
     * @param forOthers whether others take the authorities over from it, so that they need not have an effect here
     */
    private ClientPolicy policy(Section section, @Nullable ClientPolicy common, boolean forOthers) {
        ClientPolicy verified = verified(section, common, forOthers);
        Value names = section.find(NAMES);
        if (names == null) {
            return verified;
        }
        if (verified.mode() == ClientAuth.NONE && !forOthers) {
            names.problem(
                    "client-names has no effect without client-auth, for a client that shows no certificate has no"
                            + " name; add client-auth: required");
        }
        return verified.withNames(names(names));
    }

    private static ClientNames names(Value list) {
        List<String> usable = new ArrayList<>();
        for (Value item : list.items()) {
            String text = item.text();
            if (text != null && isUsable(item, text)) {
                usable.add(text);
            }
        }
        return ClientNames.of(usable);
    }

    private static boolean isUsable(Value item, String text) {
        try {
            return !ClientNames.of(List.of(text)).isAny();
        } catch (TlsConfigurationException bad) {
            item.problem(String.valueOf(bad.getMessage()));
            return false;
        }
    }

    private ClientPolicy verified(Section section, @Nullable ClientPolicy common, boolean forOthers) {
        Value authorities = section.find(AUTHORITIES);
        ClientAuth mode = section.choice(MODE, ClientAuth.class, common == null ? ClientAuth.NONE : common.mode());
        requireSense(section, mode, authorities, common, forOthers);
        if (authorities == null) {
            return common == null ? ClientPolicy.of(mode, null) : common.withMode(mode);
        }
        Path file = authorities.file(directory);
        String problem = file == null ? null : check.clientCaProblem(file);
        if (problem != null) {
            authorities.problem(problem);
        }
        return file == null || problem != null
                ? ClientPolicy.of(mode, file)
                : withLists(section, mode, file, section.integer(DEPTH, 0, DEPTH_MAX, ClientPolicy.ANY_DEPTH));
    }

    private static void requireSense(
            Section section,
            ClientAuth mode,
            @Nullable Value authorities,
            @Nullable ClientPolicy common,
            boolean forOthers) {
        boolean known = authorities != null || (common != null && common.authorities() != null);
        if (mode != ClientAuth.NONE && !known) {
            section.problem("client-auth is " + Section.dashed(mode)
                    + ", but no authority is named; add client-ca: FILE with the certificates to trust");
        } else if (mode == ClientAuth.NONE && authorities != null && !forOthers) {
            authorities.problem("client-ca has no effect without client-auth; add client-auth: required or optional");
        }
        for (String key : List.of(REVOCATIONS, DEPTH)) {
            Value value = section.find(key);
            if (value != null && authorities == null) {
                value.problem(
                        key + " is about the authorities of client-ca, which does not stand beside it; add it here");
            }
        }
    }

    private ClientPolicy withLists(Section section, ClientAuth mode, Path authorities, int depth) {
        Value value = section.find(REVOCATIONS);
        List<Path> files = new ArrayList<>();
        for (Value item : value == null ? List.<Value>of() : value.items()) {
            Path file = item.file(directory);
            if (file != null) {
                files.add(file);
            }
        }
        RevocationFindings found = files.isEmpty() ? RevocationFindings.NONE : check.revocations(authorities, files);
        if (value != null && found.problem() != null) {
            value.problem(found.problem());
        }
        return new ClientPolicy(mode, authorities, files, depth, ClientNames.ANY, found.lists(), found.warnings());
    }
}
