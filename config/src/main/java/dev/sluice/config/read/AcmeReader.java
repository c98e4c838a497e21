package dev.sluice.config.read;

import dev.sluice.config.acme.AcmeAccount;
import dev.sluice.config.acme.AcmeChallenge;
import dev.sluice.config.acme.AcmeConfig;
import dev.sluice.config.acme.AcmeKeyType;
import dev.sluice.config.acme.AcmeSharing;
import dev.sluice.config.acme.AcmeStorage;
import dev.sluice.config.acme.DnsHook;
import dev.sluice.config.acme.ExternalAccount;
import dev.sluice.config.key.AcmeKeys;
import dev.sluice.config.key.Key;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TicketStoreConfig;
import dev.sluice.config.yaml.Value;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The reader of {@code acme}, at the top and of a certificate. */
final class AcmeReader {
    /** The words for directories that need no URL. */
    private static final Map<String, URI> DIRECTORIES = Map.of(
            "letsencrypt", URI.create("https://acme-v02.api.letsencrypt.org/directory"),
            "letsencrypt-staging", URI.create("https://acme-staging-v02.api.letsencrypt.org/directory"));

    private static final String USUAL_DIRECTORY = "letsencrypt";

    /** The most names of one certificate that common authorities accept. */
    private static final int NAMES_MAX = 100;

    private static final int NAME_CHARS_MAX = 253;
    private static final String WILDCARD = "*.";
    private static final Pattern HOST_NAME =
            Pattern.compile("(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");

    /** Names of files are made of it. */
    private static final Pattern CERTIFICATE_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,99}");

    private static final Pattern EMAIL = Pattern.compile("[^@\\s,?]+@[^@\\s,?]+");
    private static final String EMAIL_FORM = "an address such as admin@shop.example";
    private static final Pattern PROFILE = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private final Path directory;
    private final @Nullable Section common;
    private final AcmeStorage storage;
    private final int ordersPerHour;
    private final List<Proof> proofs = new ArrayList<>();

    /** The place of a certificate that an ACME server checks in one way. */
    private record Proof(Value place, AcmeChallenge challenge) {}

    /**
     * Reads the section at the top.
     *
     * @param directory relative paths start there
     * @param value null: there is none
     */
    AcmeReader(Path directory, @Nullable Value value) {
        this.directory = directory;
        this.common = value == null ? null : Section.of(value, AcmeKeys.SECTION);
        Path state = location(AcmeKeys.STATE, StateDirectory.find().resolve("acme"));
        AcmeSharing sharing = common == null ? AcmeKeys.STORE.fallback() : common.get(AcmeKeys.STORE);
        this.storage = new AcmeStorage(state, location(AcmeKeys.SEAL_KEY, state.resolve("seal.key")), sharing);
        this.ordersPerHour = common == null ? AcmeKeys.ORDERS.fallback() : common.get(AcmeKeys.ORDERS);
    }

    private Path location(Key key, Path fallback) {
        Value value = common == null ? null : common.find(key);
        Path named = value == null ? null : value.location(directory);
        return named == null ? fallback : named;
    }

    /** Reads the section of a certificate; null when there are problems, which are reported. */
    @Nullable
    AcmeConfig read(String certificate, Value value) {
        Section section = Section.of(value, AcmeKeys.CERTIFICATE);
        if (section == null) {
            return null;
        }
        if (!CERTIFICATE_NAME.matcher(certificate).matches()) {
            value.problem("certificate " + certificate + " with acme names files; use letters, digits, '.', '_' and"
                    + " '-' in its name");
        }
        AcmeChallenge challenge = section.get(AcmeKeys.CHALLENGE);
        proofs.add(new Proof(value, challenge));
        List<String> names = names(section, challenge);
        List<AcmeKeyType> keys = keys(section.find(AcmeKeys.KEYS));
        AcmeAccount account = account(section);
        DnsHook hook = hook(section, challenge);
        boolean isComplete = !names.isEmpty() && !keys.isEmpty() && account != null;
        return isComplete
                ? new AcmeConfig(
                        names,
                        challenge,
                        keys,
                        word(section.find(AcmeKeys.PROFILE), PROFILE, "the name of a profile, such as shortlived"),
                        Objects.requireNonNull(account),
                        hook,
                        storage,
                        ordersPerHour)
                : null;
    }

    /** Reports challenges that no listener can answer, and mistakes at the top that no certificate has come across. */
    void requireListeners(List<ListenerConfig> listeners) {
        if (common != null && proofs.isEmpty()) {
            checkAccount(common);
        }
        boolean redirects = listeners.stream().anyMatch(listener -> listener.kind() == ListenerConfig.Kind.REDIRECT);
        boolean terminates =
                listeners.stream().anyMatch(listener -> !listener.certificates().isEmpty());
        for (Proof proof : proofs) {
            if (proof.challenge() == AcmeChallenge.HTTP_01 && !redirects) {
                proof.place()
                        .problem("challenge http-01 needs a listener of plain HTTP that clients reach on port 80; add"
                                + " {address: 0.0.0.0:80, redirect: 443} to listeners");
            } else if (proof.challenge() == AcmeChallenge.TLS_ALPN_01 && !terminates) {
                proof.place()
                        .problem("challenge tls-alpn-01 needs a listener with certificates that clients reach on"
                                + " port 443; add one, or use dns-01");
            }
        }
    }

    /** Reports a store that there is not. */
    void requireStore(@Nullable TicketConfig tickets) {
        Value store = common == null ? null : common.find(AcmeKeys.STORE);
        boolean isShared = tickets != null && tickets.store() instanceof TicketStoreConfig.Redis;
        if (store != null && storage.sharing() == AcmeSharing.TICKETS && !isShared) {
            store.problem("store is tickets, and tickets have no store that machines share; add tickets: {store:"
                    + " \"rediss://HOST:6379\", fleet-key: FILE}, or remove store");
        }
    }

    // --- names and keys ---------------------------------------------------------------------------------------------

    private static List<String> names(Section section, AcmeChallenge challenge) {
        Value value = section.require(AcmeKeys.NAMES);
        if (value == null) {
            return List.of();
        }
        Set<String> names = new LinkedHashSet<>();
        for (Value item : value.items()) {
            String text = item.text();
            String name = text == null ? null : name(item, text.toLowerCase(Locale.ROOT), challenge);
            if (name != null && !names.add(name)) {
                item.problem("names has \"" + name + "\" twice; remove one");
            }
        }
        if (names.size() > NAMES_MAX) {
            value.problem("names has " + names.size() + " names, and a certificate at most " + NAMES_MAX
                    + "; divide them among several certificates");
        }
        return List.copyOf(names);
    }

    private static @Nullable String name(Value item, String name, AcmeChallenge challenge) {
        boolean isWildcard = name.startsWith(WILDCARD);
        String host = isWildcard ? name.substring(WILDCARD.length()) : name;
        boolean isAddress = host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
        if (name.length() > NAME_CHARS_MAX
                || isAddress
                || !HOST_NAME.matcher(host).matches()) {
            item.problem("names has \"" + name + "\", which is no DNS name; write for example shop.example, and"
                    + " international names as xn--…");
            return null;
        }
        if (isWildcard && challenge != AcmeChallenge.DNS_01) {
            item.problem("the wildcard \"" + name + "\" can only be proved by a TXT record; add challenge: dns-01 with"
                    + " a dns-hook, or list single names");
            return null;
        }
        return name;
    }

    private static List<AcmeKeyType> keys(@Nullable Value value) {
        if (value == null) {
            return List.of(AcmeKeyType.ECDSA);
        }
        Set<AcmeKeyType> keys = new LinkedHashSet<>();
        for (Value item : value.items()) {
            String text = item.text();
            AcmeKeyType key = null;
            for (AcmeKeyType each : AcmeKeyType.values()) {
                key = each.word().equals(text) ? each : key;
            }
            if (key == null) {
                item.problem("keys has \"" + text + "\"; write ecdsa, rsa, or both as [ecdsa, rsa]");
            } else {
                keys.add(key);
            }
        }
        return List.copyOf(keys);
    }

    private static @Nullable DnsHook hook(Section section, AcmeChallenge challenge) {
        Value value = section.find(AcmeKeys.DNS_HOOK);
        if (challenge != AcmeChallenge.DNS_01) {
            List.of(AcmeKeys.DNS_HOOK, AcmeKeys.DNS_TIME_LIMIT, AcmeKeys.DNS_SETTLING)
                    .forEach(key -> requireAbsent(section, key, challenge));
            return null;
        }
        if (value == null) {
            section.problem("challenge dns-01 needs a program that adds TXT records; add for example dns-hook:"
                    + " /etc/sluice/dns-hook");
            return null;
        }
        List<String> command = value.texts();
        if (!command.isEmpty() && !command.getFirst().startsWith("/")) {
            value.problem("dns-hook is \"" + command.getFirst() + "\"; write the program's absolute path, since it is"
                    + " run without a shell, and arguments as a list");
        }
        return new DnsHook(command, section.get(AcmeKeys.DNS_TIME_LIMIT), section.get(AcmeKeys.DNS_SETTLING));
    }

    private static void requireAbsent(Section section, Key key, AcmeChallenge challenge) {
        Value value = section.find(key);
        if (value != null) {
            value.problem(key + " has no effect with challenge " + challenge.type()
                    + "; add challenge: dns-01, or remove it");
        }
    }

    // --- the account ------------------------------------------------------------------------------------------------

    private @Nullable AcmeAccount account(Section section) {
        Value agreed = own(section, AcmeKeys.AGREE_TERMS);
        if (agreed == null || !agreed.onOff(false)) {
            section.problem("acme needs the agreement to the server's terms of service; read them, then add"
                    + " agree-terms: on");
            return null;
        }
        URI server = server(own(section, AcmeKeys.DIRECTORY));
        Value authorities = own(section, AcmeKeys.SERVER_AUTHORITIES);
        return server == null
                ? null
                : new AcmeAccount(
                        server,
                        word(own(section, AcmeKeys.EMAIL), EMAIL, EMAIL_FORM),
                        authorities == null ? null : authorities.file(directory),
                        external(section));
    }

    /** Reads the section at the top for its mistakes alone. */
    private void checkAccount(Section section) {
        Value agreed = section.find(AcmeKeys.AGREE_TERMS);
        if (agreed != null) {
            agreed.onOff(false);
        }
        server(section.find(AcmeKeys.DIRECTORY));
        word(section.find(AcmeKeys.EMAIL), EMAIL, EMAIL_FORM);
        Value authorities = section.find(AcmeKeys.SERVER_AUTHORITIES);
        if (authorities != null) {
            authorities.file(directory);
        }
        external(section);
    }

    /** Returns the certificate's own value, else the common one; null: there is none. */
    private @Nullable Value own(Section section, Key key) {
        Value own = section.find(key);
        return own == null && common != null ? common.find(key) : own;
    }

    private static @Nullable URI server(@Nullable Value value) {
        String text = value == null ? USUAL_DIRECTORY : value.text();
        if (value == null || text == null || DIRECTORIES.containsKey(text)) {
            return text == null ? null : DIRECTORIES.get(text);
        }
        try {
            URI uri = new URI(text);
            if ("https".equals(uri.getScheme()) && uri.getHost() != null && uri.getUserInfo() == null) {
                return uri;
            }
        } catch (URISyntaxException none) {
            // reported below, like one with another scheme
        }
        value.problem("directory is \"" + text
                + "\"; write letsencrypt, letsencrypt-staging, or the https URL of an ACME server's directory");
        return null;
    }

    private @Nullable ExternalAccount external(Section section) {
        Value id = own(section, AcmeKeys.EXTERNAL_ID);
        Value key = own(section, AcmeKeys.EXTERNAL_KEY);
        if (id == null && key == null) {
            return null;
        }
        if (id == null || key == null) {
            section.problem("external account binding needs both eab-key-id and eab-key-file; add "
                    + (id == null ? "eab-key-id" : "eab-key-file"));
            return null;
        }
        String text = id.text();
        Path file = key.file(directory);
        return text == null || file == null ? null : new ExternalAccount(text, file);
    }

    private static @Nullable String word(@Nullable Value value, Pattern pattern, String form) {
        String text = value == null ? null : value.text();
        if (value == null || text == null) {
            return null;
        }
        if (!pattern.matcher(text).matches()) {
            value.problem(value.name() + " is \"" + text + "\"; write " + form);
            return null;
        }
        return text;
    }
}
