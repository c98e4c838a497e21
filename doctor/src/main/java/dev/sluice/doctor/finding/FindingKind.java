package dev.sluice.doctor.finding;

import static dev.sluice.doctor.finding.Severity.FAULT;
import static dev.sluice.doctor.finding.Severity.NOTE;
import static dev.sluice.doctor.finding.Severity.WARNING;

import java.util.Locale;

/**
 * The kinds of findings, ordered by effect: failures for clients, missing protection, high costs, the rest. Documented
 * in docs/doctor.md by their {@link #id}s.
 */
public enum FindingKind {
    UNREACHABLE(
            FAULT,
            "No connection",
            "No client can connect.",
            Remedy.elsewhere("check that the server runs and listens on this address, and that no firewall blocks it")),
    STALLED(
            FAULT,
            "The server stalls",
            "Clients wait until they time out, and hold a socket at the server meanwhile.",
            Remedy.elsewhere("check that the server is not overloaded, and that this port speaks TLS from the first "
                    + "byte (else --starttls)")),
    NOT_TLS(
            FAULT,
            "No TLS here",
            "The answer is not TLS; clients connect in the clear, or not at all.",
            new Remedy(
                    "listen 443 ssl;",
                    "bind :443 ssl crt /etc/haproxy/site.pem",
                    "listeners: [{address: 0.0.0.0:443," + " certificates: [site], backend: web}]")),
    STARTTLS_REFUSED(
            FAULT,
            "STARTTLS is refused",
            "Without it everything, including passwords, is sent in the clear.",
            Remedy.elsewhere(
                    "enable TLS in the mail server or database (smtpd_tls_security_level, ssl = yes, ssl = on)")),
    HANDSHAKE_FAILS(
            FAULT,
            "No handshake succeeds",
            "A client with the usual versions, suites and groups cannot connect.",
            new Remedy(
                    "ssl_protocols TLSv1.2 TLSv1.3;",
                    "ssl-default-bind-options ssl-min-ver TLSv1.2",
                    "listeners: [{profile: intermediate}]")),
    ADDRESS_FAILS(
            FAULT,
            "An address of the name does not serve",
            "Clients that get this address from DNS wait or fail, while others succeed, which is hard to reproduce.",
            Remedy.elsewhere("repair the server at the address, or remove the address from DNS")),
    CERTIFICATE_UNREADABLE(
            FAULT,
            "A certificate cannot be read",
            "Clients reject anything other than X.509.",
            certificateRemedy("the complete chain as issued by the authority")),
    EXPIRED(
            FAULT,
            "The certificate has expired",
            "Clients reject it.",
            certificateRemedy("a renewed certificate; automate it (ACME)")),
    NOT_YET_VALID(
            FAULT,
            "The certificate is not valid yet",
            "Clients reject it; if it was just issued, a clock is wrong.",
            certificateRemedy("a certificate that is currently valid")),
    NAME_MISMATCH(
            FAULT,
            "The certificate is for another name",
            "Clients reject it: a certificate for another name proves nothing.",
            certificateRemedy("a certificate with this name among its subject alternative names")),
    SELF_SIGNED(
            FAULT,
            "The certificate vouches for itself",
            "Clients reject it, unless they accept any certificate.",
            certificateRemedy("a certificate of a public authority")),
    CHAIN_INCOMPLETE(
            FAULT,
            "The chain does not lead to a known root",
            "Clients without the missing certificate reject the chain; browsers that have cached it hide the fault.",
            certificateRemedy("the certificate followed by all intermediates (fullchain.pem)")),
    UNTRUSTED_ROOT(
            FAULT,
            "The chain ends at an unknown root",
            "Clients reject it unless they trust this root; pass it to the doctor with --ca.",
            certificateRemedy("a certificate of a public authority")),
    CHAIN_INVALID(
            FAULT,
            "The chain breaks a rule of X.509",
            "Strict clients reject it.",
            certificateRemedy("a chain of authorities that are allowed to sign these certificates")),
    MUST_STAPLE_MISSING(
            FAULT,
            "The certificate demands a staple, and none comes",
            "Clients that support must-staple (RFC 7633) reject the connection.",
            staplingRemedy()),
    STALE_STAPLE(
            FAULT,
            "The stapled OCSP response is out of date",
            "Clients ignore it, and some reject the connection.",
            staplingRemedy()),
    BROKEN_VERSION(FAULT, "SSL 3.0 is accepted", "Broken (POODLE, RFC 7568).", versionRemedy()),
    BROKEN_SUITES(
            FAULT,
            "Broken cipher suites are accepted",
            "No encryption, no server authentication, or keys that can be broken in hours.",
            suiteRemedy()),
    WEAK_KEY(
            FAULT,
            "The certificate's key is too short",
            "Clients reject RSA below 2,048 bits and curves below 256.",
            certificateRemedy("a certificate with a new key, ECDSA P-256")),
    WEAK_SIGNATURE(
            FAULT,
            "A certificate is signed by a broken hash",
            "Collisions of SHA-1 and MD5 are practical; clients reject such certificates.",
            certificateRemedy("a certificate signed by SHA-256")),
    WEAK_DH(
            FAULT,
            "The Diffie-Hellman prime is too short",
            "Primes of 1,024 bits and less can be broken (Logjam); clients reject them.",
            new Remedy(
                    "ssl_dhparam with 2,048 bits or more, or no DHE suites in ssl_ciphers",
                    "tune.ssl.default-dh-param 2048",
                    "(no DHE by default)")),
    COMPRESSION(
            FAULT,
            "TLS compression is on",
            "The length of compressed data leaks secrets (CRIME).",
            Remedy.elsewhere("build or configure the library without compression (SSL_OP_NO_COMPRESSION)")),
    INSECURE_RENEGOTIATION(
            WARNING,
            "Secure renegotiation is not known",
            "Without RFC 5746, an attacker in the middle can prepend bytes to the client's.",
            Remedy.elsewhere("a current TLS library")),
    OLD_VERSIONS(
            WARNING,
            "Deprecated versions are accepted",
            "TLS 1.0 and 1.1 rest on SHA-1 and CBC and are deprecated (RFC 8996); they fail compliance audits.",
            versionRemedy()),
    SMALL_BLOCKS(
            WARNING,
            "Ciphers with blocks of 64 bits are accepted",
            "Long connections leak plaintext (Sweet32), and 3DES takes the server some 30 times the time of AES-GCM.",
            suiteRemedy()),
    RSA_KEY_EXCHANGE(
            WARNING,
            "Suites without forward secrecy are accepted",
            "A stolen server key decrypts all recorded traffic; ROBOT and similar attacks target such handshakes.",
            suiteRemedy()),
    EARLY_DATA_REPLAYABLE(
            WARNING,
            "A request in early data was carried out",
            "The first packet can be recorded and replayed; a POST, as sent here, must wait for the complete "
                    + "handshake (RFC 8470).",
            new Remedy(
                    "proxy_set_header Early-Data $ssl_early_data; and let the application answer 425",
                    "http-request wait-for-handshake if !METH_GET",
                    "listeners: [{early-data: hold}]")),
    EXPIRES_SOON(
            WARNING,
            "The certificate expires soon",
            "ACME renews a month before the expiry: the renewal failed, or is not configured.",
            certificateRemedy("a renewed certificate; automate it (ACME)")),
    NO_RESUMPTION(
            WARNING,
            "Sessions are not resumed",
            "Every returning client needs a full handshake with a signature, the most expensive part for the server.",
            new Remedy(
                    "ssl_session_cache shared:tls:20m; ssl_session_tickets on;",
                    "(no no-tls-tickets on bind; tune.ssl.cachesize 200000)",
                    "tickets: {rotate: 12h, keep: 36h}")),
    TICKETS_NOT_SHARED(
            WARNING,
            "Sessions are resumed only sometimes",
            "Several servers, workers or addresses have separate ticket keys: a client that reaches another one needs "
                    + "a full handshake.",
            new Remedy(
                    "ssl_session_ticket_key /etc/nginx/ticket.key; (the same file on each server, rotated)",
                    "bind … tls-ticket-keys /etc/haproxy/ticket.keys (the same file on each server, rotated)",
                    "tickets: {store: redis://…, fleet-key: /etc/sluice/fleet.key}")),
    NO_TLS13(
            WARNING,
            "TLS 1.3 is missing",
            "A handshake takes one more round trip, and its certificate is sent in the clear.",
            new Remedy(
                    "ssl_protocols TLSv1.2 TLSv1.3;",
                    "ssl-default-bind-options ssl-min-ver TLSv1.2 (and no ssl-max-ver)",
                    "listeners: [{min-version: TLSv1.2}]")),
    CHAIN_HUGE(
            WARNING,
            "The server's first flight needs an extra round trip",
            "Bytes beyond the initial congestion window (10 segments, RFC 6928) wait for the client's "
                    + "acknowledgement.",
            certificateRemedy("fewer and smaller certificates: ECDSA, no root, no chain for other roots")),
    CHAIN_ORDER(
            WARNING,
            "The certificates are in the wrong order",
            "TLS 1.2 requires that each certifies the one before it; strict clients reject other orders.",
            certificateRemedy("the certificate first, then each one's issuer")),
    KEY_UPDATE_BREAKS(
            WARNING,
            "The connection breaks at a KeyUpdate",
            "Clients that update keys on long connections (RFC 8446) lose these connections.",
            Remedy.elsewhere("a newer TLS library")),
    STATUS_UNKNOWN(
            WARNING,
            "The stapled OCSP response does not vouch for the certificate",
            "Clients reject a certificate whose status is revoked or unknown.",
            staplingRemedy()),
    CBC_SUITES(
            NOTE,
            "CBC suites are accepted",
            "Two passes over the data cost two to four times AES-GCM, and padding oracles (Lucky 13) keep recurring.",
            suiteRemedy()),
    RSA_ONLY(
            NOTE,
            "There is only an RSA certificate",
            "An RSA-2048 signature costs the server about ten times an ECDSA P-256 one, and the certificate is "
                    + "larger.",
            new Remedy(
                    "a second pair of ssl_certificate and ssl_certificate_key with an ECDSA key",
                    "bind … crt site.pem with site.pem.ecdsa beside site.pem.rsa",
                    "certificates: {site: {chain: [ecdsa.pem, rsa.pem], key: [ecdsa.key, rsa.key]}}")),
    LONG_KEY(
            NOTE,
            "The RSA key is longer than necessary",
            "RSA-3072 costs about three times, RSA-4096 about six times RSA-2048 for each full handshake.",
            certificateRemedy("ECDSA P-256, or RSA-2048 where RSA is required")),
    SLOW_GROUP(
            NOTE,
            "A slow group is chosen",
            "P-384, P-521 and finite-field groups take several times the time of X25519.",
            groupRemedy()),
    EXTRA_ROUND_TRIP(
            NOTE,
            "A client with an X25519 share must retry",
            "A HelloRetryRequest adds a round trip to each full handshake of most clients.",
            groupRemedy()),
    NO_PQ_GROUP(
            NOTE,
            "There is no post-quantum key exchange",
            "A future quantum computer could decrypt traffic recorded today; browsers prefer X25519MLKEM768.",
            new Remedy(
                    "ssl_ecdh_curve X25519MLKEM768:X25519:prime256v1; (OpenSSL 3.5)",
                    "ssl-default-bind-curves X25519MLKEM768:X25519:P-256 (OpenSSL 3.5)",
                    "(by default with OpenSSL 3.5)")),
    SHORT_SESSIONS(
            NOTE,
            "Sessions are short-lived",
            "A client that returns later needs a full handshake.",
            new Remedy("ssl_session_timeout 1d;", "tune.ssl.lifetime 86400", "tickets: {keep: 36h}")),
    MANY_TICKETS(
            NOTE,
            "Each handshake brings many tickets",
            "Each costs the server an encryption and a quarter of a kilobyte; few clients use more than one.",
            new Remedy("ssl_conf_command NumTickets 1; (OpenSSL 3.0 or later)", "(2, fixed)", "tickets: {count: 1}")),
    TICKET_KEY_STATIC(
            NOTE,
            "The ticket key did not change",
            "A stolen key decrypts all TLS 1.2 sessions that it sealed; it should change about daily.",
            new Remedy(
                    "several ssl_session_ticket_key files, rotated by cron and reload",
                    "set ssl tls-key by the admin socket, daily",
                    "tickets: {rotate: 12h, keep: 36h}")),
    CHACHA_IGNORED(
            NOTE,
            "A client's preference for ChaCha20 is ignored",
            "Clients that prefer it lack AES instructions, such as small phones: AES costs them three times the "
                    + "energy.",
            new Remedy(
                    "ssl_conf_command Options PrioritizeChaCha; (with ssl_prefer_server_ciphers on)",
                    "ssl-default-bind-options prefer-client-ciphers",
                    "(by default)")),
    EARLY_DATA_OFFERED(
            NOTE,
            "Early data is allowed",
            "It saves a round trip but can be replayed: test the handling of such requests with --early-data.",
            new Remedy(
                    "ssl_early_data off; or proxy_set_header Early-Data $ssl_early_data;",
                    "bind … (no allow-0rtt); or http-request wait-for-handshake",
                    "listeners: [{early-data: hold}]")),
    NO_STAPLE(
            NOTE,
            "No OCSP response is stapled",
            "Clients that check the status query the responder themselves, which takes time and reveals the sites "
                    + "that they visit.",
            staplingRemedy()),
    NO_H2(
            NOTE,
            "HTTP/2 is not offered",
            "Browsers open six connections with six handshakes where one would suffice.",
            new Remedy(
                    "listen 443 ssl http2;",
                    "bind :443 ssl crt … alpn h2,http/1.1",
                    "listeners: [{alpn: [h2, http/1.1]}]")),
    NO_ALPN(
            NOTE,
            "No application protocol is agreed on",
            "Without ALPN browsers use HTTP/1.1, and a server cannot detect cross-protocol attacks (ALPACA); other "
                    + "protocols may have none.",
            new Remedy(
                    "listen 443 ssl http2;",
                    "bind :443 ssl crt … alpn h2,http/1.1",
                    "listeners: [{alpn: [h2, http/1.1]}]")),
    ROOT_SENT(
            NOTE,
            "The root is sent",
            "Clients have it or do not trust it: its bytes are wasted in each full handshake.",
            certificateRemedy("the same chain without its last certificate")),
    CHAIN_EXTRA(
            NOTE,
            "Unrelated certificates are sent",
            "Their bytes are wasted in each full handshake.",
            certificateRemedy("only the certificate and its intermediates")),
    CHAIN_LARGE(
            NOTE,
            "The chain is large",
            "Each full handshake sends more than a few kilobytes before the client can send a request.",
            certificateRemedy("fewer and smaller certificates: ECDSA, no root")),
    NO_TLS12(
            NOTE,
            "TLS 1.2 is refused",
            "Clients from before about 2018 cannot connect; this may be intended.",
            new Remedy(
                    "ssl_protocols TLSv1.2 TLSv1.3;",
                    "ssl-default-bind-options ssl-min-ver TLSv1.2",
                    "listeners: [{min-version: TLSv1.2}]")),
    NO_EXTENDED_MASTER_SECRET(
            NOTE,
            "The extended master secret is not supported",
            "TLS 1.2 sessions are not bound to their handshake (RFC 7627); some clients reject such servers.",
            Remedy.elsewhere("a newer TLS library")),
    KEY_UPDATE_UNANSWERED(
            NOTE,
            "A KeyUpdate is not answered",
            "RFC 8446 section 4.6.3 requires the server to update its keys on request.",
            Remedy.elsewhere("a newer TLS library")),
    NO_CLOSE_NOTIFY(
            NOTE,
            "Connections end without close_notify",
            "Clients cannot distinguish a complete response from a truncated one.",
            Remedy.elsewhere("a server that shuts TLS down before TCP")),
    SMALL_RECORDS(
            NOTE,
            "Bulk data comes in small records",
            "Each record costs a header, a tag and separate calls: below 4 KiB that is most of the cost.",
            new Remedy("ssl_buffer_size 16k;", "tune.ssl.maxrecord 0", "(16 KiB by default)")),
    CLIENT_CERTIFICATE(
            NOTE,
            "Client certificates are requested",
            "The doctor has none: if one is required, nothing after the handshake was audited.",
            new Remedy("ssl_verify_client on;", "bind … verify required", "listeners: [{client-auth: required}]")),
    RATE_LIMITED(
            NOTE,
            "The audit was cut short",
            "Some connections were refused or stalled after others had succeeded: the server may limit their rate.",
            Remedy.elsewhere("run the doctor with --rate 1, or from an address that is not limited")),
    LOCAL_NO_OPENSSL(
            FAULT,
            "OpenSSL is not found",
            "Sluice requires it for TLS.",
            Remedy.elsewhere("apt-get install libssl3, or configure a directory with libssl and libcrypto: "
                    + "-Dsluice.openssl=DIR or SLUICE_OPENSSL=DIR")),
    LOCAL_SLOW_AES_GCM(
            WARNING,
            "OpenSSL does not use this processor's AVX-512 for AES-GCM",
            "OpenSSL before 3.1 seals and opens bulk data with AES-NI only, three to five times slower on such "
                    + "processors (docs/benchmarks/record.md).",
            Remedy.elsewhere("OpenSSL 3.5 or later: SLUICE_OPENSSL=DIR, see docs/guide/tuning.md")),
    LOCAL_NO_AES(
            WARNING,
            "The processor has no usable AES instructions",
            "AES-GCM in software is many times slower, and leaks keys through caches.",
            new Remedy(
                    "ssl_ciphers ECDHE+CHACHA20:ECDHE+AESGCM; ssl_prefer_server_ciphers on;",
                    "ssl-default-bind-ciphersuites TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256",
                    "listeners: [{ciphers: [TLS_CHACHA20_POLY1305_SHA256, TLS_AES_128_GCM_SHA256]}]")),
    LOCAL_FEW_DESCRIPTORS(
            WARNING,
            "The descriptor limit is low",
            "Each connection through the gateway takes two: connections beyond the limit are refused.",
            Remedy.elsewhere("ulimit -n 1048576, or LimitNOFILE=1048576 in the unit")),
    LOCAL_NO_POST_QUANTUM(
            NOTE,
            "OpenSSL has no post-quantum key exchange",
            "A future quantum computer could decrypt traffic recorded today.",
            Remedy.elsewhere("OpenSSL 3.5 or later: SLUICE_OPENSSL=DIR")),
    LOCAL_NO_URING(
            NOTE,
            "io_uring cannot be used",
            "Event loops use epoll, which needs more system calls for small messages.",
            Remedy.elsewhere("see the reason; in a container, a seccomp profile that permits io_uring_setup, _enter and"
                    + " _register")),
    LOCAL_LITTLE_LOCKED_MEMORY(
            NOTE,
            "The locked-memory limit is low",
            "io_uring's queues count against it in unprivileged processes: they are made smaller, or not at all.",
            Remedy.elsewhere("ulimit -l 65536, or LimitMEMLOCK=64M in the unit")),
    LOCAL_SHORT_ACCEPT_QUEUE(
            NOTE,
            "The accept queue is short",
            "In a burst of new connections the kernel drops the excess, and clients retry after a second.",
            Remedy.elsewhere("sysctl net.core.somaxconn=4096")),
    LOCAL_NO_KTLS(
            NOTE,
            "The kernel lacks TLS",
            "Listeners with records: kernel do not start; with records: auto the gateway protects the records itself.",
            Remedy.elsewhere("modprobe tls, where the kernel was built with CONFIG_TLS"));

    private final Severity severity;
    private final String title;
    private final String why;

    @SuppressWarnings("ImmutableEnumChecker") // a record of texts
    private final Remedy remedy;

    FindingKind(Severity severity, String title, String why, Remedy remedy) {
        this.severity = severity;
        this.title = title;
        this.why = why;
        this.remedy = remedy;
    }

    /** Returns its name in reports and documents, such as {@code no-resumption}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns whether it concerns this machine instead of an endpoint. */
    public boolean isLocal() {
        return name().startsWith("LOCAL_");
    }

    /** Returns the severity. */
    public Severity severity() {
        return severity;
    }

    /** Returns the finding in a few words. */
    String title() {
        return title;
    }

    /** Returns the reason why it matters. */
    String why() {
        return why;
    }

    /** Returns the remedy. */
    Remedy remedy() {
        return remedy;
    }

    private static Remedy certificateRemedy(String file) {
        return new Remedy(
                "ssl_certificate: " + file, "bind … crt: " + file, "certificates: {site: {chain: …}}: " + file);
    }

    private static Remedy staplingRemedy() {
        return new Remedy(
                "ssl_stapling on; ssl_stapling_verify on; resolver …;",
                "set ssl ocsp-response by the admin socket, from cron (ocsp-update on since 2.8)",
                "(by default where the certificate names a responder)");
    }

    private static Remedy versionRemedy() {
        return new Remedy(
                "ssl_protocols TLSv1.2 TLSv1.3;",
                "ssl-default-bind-options ssl-min-ver TLSv1.2",
                "listeners: [{min-version: TLSv1.2}]");
    }

    private static Remedy suiteRemedy() {
        return new Remedy(
                "ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;",
                "ssl-default-bind-ciphers ECDHE+AESGCM:ECDHE+CHACHA20",
                "listeners: [{profile: intermediate}]");
    }

    private static Remedy groupRemedy() {
        return new Remedy(
                "ssl_ecdh_curve X25519:prime256v1:secp384r1;",
                "ssl-default-bind-curves X25519:P-256:P-384",
                "listeners: [{groups: [X25519, P-256, P-384]}]");
    }

    /**
     * The configuration line that fixes a finding.
     *
     * @param nginx for nginx
     * @param haproxy for HAProxy
     * @param sluice for Sluice
     */
    public record Remedy(String nginx, String haproxy, String sluice) {
        /** Returns a remedy outside of these three servers. */
        static Remedy elsewhere(String what) {
            return new Remedy(what, what, what);
        }

        /** Returns whether the remedy is the same for all servers. */
        boolean isElsewhere() {
            return nginx.equals(haproxy) && haproxy.equals(sluice);
        }
    }
}
