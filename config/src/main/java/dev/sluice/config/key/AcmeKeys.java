package dev.sluice.config.key;

import dev.sluice.config.acme.AcmeChallenge;
import dev.sluice.config.acme.AcmeSharing;
import dev.sluice.config.key.KeyType.Choice;
import dev.sluice.config.key.KeyType.OnOff;
import dev.sluice.config.key.KeyType.Text;
import dev.sluice.config.key.KeyType.Texts;
import dev.sluice.config.key.KeyType.Time;
import dev.sluice.config.key.KeyType.Whole;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The keys of {@code acme}, at the top and of a certificate. */
public final class AcmeKeys {
    private static final int ORDERS_PER_HOUR = 20;

    /** The words for keys that both sections have; a certificate's value comes first. */
    private static final String TOP = "from `acme` at the top";

    // --- the account: of all certificates at the top, or of one

    public static final Key DIRECTORY = Key.optional(
            "directory",
            new Text("`letsencrypt`, `letsencrypt-staging`, or an `https` URL"),
            TOP + ", else `letsencrypt`",
            "Directory of the ACME server.");
    public static final Key AGREE_TERMS =
            Key.optional("agree-terms", new OnOff(), TOP + ", else `off`", "Agree to the server's terms of service.");
    public static final Key EMAIL =
            Key.optional("email", new Text("an address"), TOP, "Contact for the server's messages.");
    public static final Key SERVER_AUTHORITIES = Key.optional(
            "server-ca",
            new Text("a PEM file"),
            TOP + ", else those of the JDK",
            "Authorities that the ACME server's own certificate must chain to.");
    public static final Key EXTERNAL_ID = Key.optional(
            "eab-key-id", new Text("a key id"), TOP, "External account binding: the key's id from the authority.");
    public static final Key EXTERNAL_KEY = Key.optional(
            "eab-key-file",
            new Text("a file"),
            TOP,
            "External account binding: file with the HMAC key, a line in base64url.");

    private static final List<Key> ACCOUNT =
            List.of(DIRECTORY, AGREE_TERMS, EMAIL, SERVER_AUTHORITIES, EXTERNAL_ID, EXTERNAL_KEY);

    // --- at the top

    public static final Key STATE = Key.optional(
            "state",
            new Text("a directory"),
            "`acme` in the state directory",
            "Account keys and certificates, for the gateway's user only.");
    public static final Key SEAL_KEY = Key.optional(
            "seal-key",
            new Text("a file"),
            "`seal.key` in `state`",
            "File whose first line encrypts the private keys in `state`; made when absent.");
    public static final ValueKey<Integer> ORDERS = Key.of(
            "orders-per-hour",
            new Whole(1, 10_000),
            ORDERS_PER_HOUR,
            "Most orders in an hour, for all certificates; more wait.");

    public static final ValueKey<AcmeSharing> STORE = Key.of(
            "store",
            Choice.of(AcmeSharing.class),
            AcmeSharing.LOCAL,
            "`tickets`: one node orders, and all serve, through the Redis of `tickets.store`.");

    public static final SectionKeys SECTION = new SectionKeys(
            "acme",
            "acme",
            "ACME",
            "What the certificates with `acme` have in common; see [ACME](guide/acme.md).",
            concat(List.of(STATE, SEAL_KEY, STORE, ORDERS), ACCOUNT));

    // --- of a certificate

    public static final Key NAMES = Key.required(
            "names",
            new Texts("DNS names; `*.` first with `dns-01`"),
            "[shop.example]",
            "Names to certify, up to 100.");
    public static final ValueKey<AcmeChallenge> CHALLENGE = Key.of(
            "challenge",
            new Choice<>(List.of(AcmeChallenge.values()), AcmeChallenge::type),
            AcmeChallenge.TLS_ALPN_01,
            "How the names are proved: on port 443, on port 80 (a `redirect` listener), or by a TXT record.");
    public static final Key KEYS = Key.optional(
            "keys",
            new Texts("`ecdsa`, `rsa`"),
            "`ecdsa`",
            "Kinds of key, a certificate each: P-256, RSA of 2048 bits.");
    public static final Key PROFILE = Key.optional(
            "profile", new Text("a name"), "the server's", "The server's profile, such as `shortlived` for six days.");
    public static final Key DNS_HOOK = Key.optional(
            "dns-hook",
            new Texts("a program and its arguments"),
            "With `dns-01`: run with `present` or `cleanup`, the record's name and its value added.");
    public static final ValueKey<Duration> DNS_TIME_LIMIT = Key.of(
            "dns-time-limit",
            new Time(Duration.ofSeconds(1), Duration.ofMinutes(30)),
            Duration.ofMinutes(2),
            "Time after which `dns-hook` is killed.");
    public static final ValueKey<Duration> DNS_SETTLING = Key.of(
            "dns-settling",
            new Time(Duration.ZERO, Duration.ofMinutes(30)),
            Duration.ofSeconds(10),
            "Pause between the end of `dns-hook` and the server's query.");

    public static final SectionKeys CERTIFICATE = new SectionKeys(
            "certificateAcme",
            "certificates.NAME.acme",
            "ACME of a certificate",
            "See [ACME](guide/acme.md).",
            concat(List.of(NAMES, CHALLENGE, KEYS, PROFILE, DNS_HOOK, DNS_TIME_LIMIT, DNS_SETTLING), ACCOUNT));

    private AcmeKeys() {}

    private static List<Key> concat(List<Key> first, List<Key> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
