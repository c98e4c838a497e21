package dev.sluice.config.read;

import dev.sluice.config.certificate.RevocationFindings;
import dev.sluice.config.key.ClientPolicyKeys;
import dev.sluice.config.key.Key;
import dev.sluice.config.model.ClientAuth;
import dev.sluice.config.model.ClientPolicy;
import dev.sluice.config.model.HostPolicy;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.config.yaml.Value;
import dev.sluice.config.yaml.Words;
import dev.sluice.tls.certificate.ClientNames;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reader of client authentication: the keys {@code client-…} of a listener and of its {@code hosts}. */
final class ClientPolicyReader {
    private final Path directory;
    private final TlsCheck check;

    ClientPolicyReader(Path directory, TlsCheck check) {
        this.directory = directory;
        this.check = check;
    }

    /** Reads a listener's section, and adds the result to options. */
    TlsOptions read(Section listener, TlsOptions options) {
        Value list = listener.find(ClientPolicyKeys.HOSTS);
        ClientPolicy common = policy(listener, null, list != null);
        List<HostPolicy> hosts = new ArrayList<>();
        Set<ServerNamePattern> seen = new HashSet<>();
        for (Value item : list == null ? List.<Value>of() : list.items()) {
            HostPolicy host = host(item.named("a host"), common);
            if (host != null && !seen.add(host.name())) {
                item.problem("host " + host.name() + " is listed twice; remove one");
            } else if (host != null) {
                hosts.add(host);
            }
        }
        ClientAuth mode = common.mode();
        return options.withClients(mode == ClientAuth.NONE ? ClientPolicy.NONE : common, hosts);
    }

    private @Nullable HostPolicy host(Value item, ClientPolicy common) {
        Section section = Section.of(item, ClientPolicyKeys.HOST);
        Value name = section == null ? null : section.require(ClientPolicyKeys.HOST_SNI);
        if (section == null || name == null) {
            return null;
        }
        ServerNamePattern pattern = ServerNameReader.read(name);
        ClientPolicy policy = policy(section, common, false);
        return pattern.equals(ServerNamePattern.ANY) ? null : new HostPolicy(pattern, policy);
    }

    /**
     * Reads a section's keys.
     *
     * @param common the policy of a section without authorities of its own; null: none
     * @param forOthers true where virtual hosts inherit the authorities, so that they may have no effect here
     */
    private ClientPolicy policy(Section section, @Nullable ClientPolicy common, boolean forOthers) {
        ClientPolicy verified = verified(section, common, forOthers);
        Value names = section.find(ClientPolicyKeys.NAMES);
        if (names == null) {
            return verified;
        }
        if (verified.mode() == ClientAuth.NONE && !forOthers) {
            names.problem("client-names has no effect without client-auth: a client without a certificate has no name;"
                    + " add client-auth: required");
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
        Value authorities = section.find(ClientPolicyKeys.AUTHORITIES);
        ClientAuth mode = section.get(ClientPolicyKeys.MODE, common == null ? ClientAuth.NONE : common.mode());
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
                : withLists(section, mode, file, section.get(ClientPolicyKeys.DEPTH));
    }

    private static void requireSense(
            Section section,
            ClientAuth mode,
            @Nullable Value authorities,
            @Nullable ClientPolicy common,
            boolean forOthers) {
        boolean known = authorities != null || (common != null && common.authorities() != null);
        if (mode != ClientAuth.NONE && !known) {
            section.problem("client-auth is " + Words.dashed(mode)
                    + " without an authority; add client-ca: FILE with the certificates to trust");
        } else if (mode == ClientAuth.NONE && authorities != null && !forOthers) {
            authorities.problem("client-ca has no effect without client-auth; add client-auth: required or optional");
        }
        for (Key key : List.of(ClientPolicyKeys.REVOCATIONS, ClientPolicyKeys.DEPTH)) {
            Value value = section.find(key);
            if (value != null && authorities == null) {
                value.problem(
                        key + " applies to the authorities of client-ca, which is missing beside it; add it here");
            }
        }
    }

    private ClientPolicy withLists(Section section, ClientAuth mode, Path authorities, int depth) {
        Value value = section.find(ClientPolicyKeys.REVOCATIONS);
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
