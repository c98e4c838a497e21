package dev.sluice.doctor.finding;

import static dev.sluice.doctor.finding.Severity.FAULT;
import static dev.sluice.doctor.finding.Severity.NOTE;
import static dev.sluice.doctor.finding.Severity.WARNING;

import java.util.Locale;

/**
 * All that an audit can find, in the order of effect: what keeps clients away, what leaves them unprotected, what costs most, the
 * rest. Described for people in docs/doctor.md; the names there are {@link #id}s.
 */
public enum FindingKind {
    UNREACHABLE(
            FAULT,
            "No connection",
            "Nobody can connect.",
            Remedy.elsewhere("see that the server runs, listens on this address, and that no firewall is in between")),
    STALLED(
            FAULT,
            "The server stalls",
            "Clients wait until they give up, and hold a socket at the server meanwhile.",
            Remedy.elsewhere("see that the server is not overloaded, and that this port speaks TLS from the first byte"
                    + " (else --starttls)")),
    NOT_TLS(
            FAULT,
            "No TLS here",
            "What answers is not TLS; whoever connects speaks in the clear, or not at all.",
            new Remedy(
                    "listen 443 ssl;",
                    "bind :443 ssl crt /etc/haproxy/site.pem",
                    "listeners: [{address: 0.0.0.0:443," + " certificates: [site], backend: web}]")),
    STARTTLS_REFUSED(
            FAULT,
            "STARTTLS is refused",
            "Without it everything, passwords too, goes in the clear.",
            Remedy.elsewhere(
                    "switch TLS on in the mail server or database (smtpd_tls_security_level, ssl = yes, ssl = on)")),
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
            "Clients that get this address from DNS wait or fail, and others do not: the hardest kind to reproduce.",
            Remedy.elsewhere("mend the server behind the address, or take the address out of DNS")),
    CERTIFICATE_UNREADABLE(
            FAULT,
            "A certificate cannot be read",
            "Clients refuse what is not X.509.",
            certificateRemedy("the whole chain, as the authority gave it")),
    EXPIRED(
            FAULT,
            "The certificate has expired",
            "Clients refuse it.",
            certificateRemedy("a renewed certificate; automate it (ACME)")),
    NOT_YET_VALID(
            FAULT,
            "The certificate is not valid yet",
            "Clients refuse it; where it was just issued, a clock is wrong.",
            certificateRemedy("a certificate that is valid now")),
    NAME_MISMATCH(
            FAULT,
            "The certificate is for another name",
            "Clients refuse it, since anybody has a certificate for some name.",
            certificateRemedy("a certificate with this name among its subject alternative names")),
    SELF_SIGNED(
            FAULT,
            "The certificate vouches for itself",
            "Clients refuse it, or have been taught to accept any.",
            certificateRemedy("a certificate of an authority that clients know")),
    CHAIN_INCOMPLETE(
            FAULT,
            "The chain does not lead to a known root",
            "Clients that do not happen to have the missing certificate refuse it; browsers that have it hide the fault.",
            certificateRemedy("the certificate followed by all intermediates (fullchain.pem)")),
    UNTRUSTED_ROOT(
            FAULT,
            "The chain ends at a root that nobody knows",
            "Clients refuse it unless they were given this root; give it to the doctor with --ca.",
            certificateRemedy("a certificate of an authority that clients know")),
    CHAIN_INVALID(
            FAULT,
            "The chain breaks a rule of X.509",
            "Strict clients refuse it.",
            certificateRemedy("a chain whose authorities may sign what they signed")),
    MUST_STAPLE_MISSING(
            FAULT,
            "The certificate demands a staple, and none comes",
            "Clients that know the demand (RFC 7633) refuse the connection.",
            staplingRemedy()),
    STALE_STAPLE(
            FAULT,
            "The stapled OCSP response is out of date",
            "Clients treat it as none, and some refuse the connection.",
            staplingRemedy()),
    BROKEN_VERSION(FAULT, "SSL 3.0 is accepted", "Broken (POODLE, RFC 7568).", versionRemedy()),
    BROKEN_SUITES(
            FAULT,
            "Broken cipher suites are accepted",
            "No encryption, no proof of who the server is, or keys that are guessed in hours.",
            suiteRemedy()),
    WEAK_KEY(
            FAULT,
            "The certificate's key is too short",
            "Clients refuse RSA below 2,048 bits and curves below 256.",
            certificateRemedy("a certificate with a new key, ECDSA P-256")),
    WEAK_SIGNATURE(
            FAULT,
            "A certificate is signed by a broken hash",
            "Collisions of SHA-1 and MD5 can be had; clients refuse such certificates.",
            certificateRemedy("a certificate signed by SHA-256")),
    WEAK_DH(
            FAULT,
            "The Diffie-Hellman prime is too short",
            "Primes of 1,024 bits and less are within reach (Logjam); clients refuse them.",
            new Remedy(
                    "ssl_dhparam with 2,048 bits or more, or no DHE suites in ssl_ciphers",
                    "tune.ssl.default-dh-param 2048",
                    "(no DHE by default)")),
    COMPRESSION(
            FAULT,
            "TLS compression is on",
            "The length of what is sent betrays secrets in it (CRIME).",
            Remedy.elsewhere("build or configure the library without compression (SSL_OP_NO_COMPRESSION)")),
    INSECURE_RENEGOTIATION(
            WARNING,
            "Secure renegotiation is not known",
            "Without RFC 5746 somebody in between can put bytes before the client's.",
            Remedy.elsewhere("a TLS library of this decade")),
    OLD_VERSIONS(
            WARNING,
            "Deprecated versions are accepted",
            "TLS 1.0 and 1.1 rest on SHA-1 and CBC and are deprecated (RFC 8996); audits fail by them.",
            versionRemedy()),
    SMALL_BLOCKS(
            WARNING,
            "Ciphers with blocks of 64 bits are accepted",
            "Long connections betray plaintext (Sweet32), and 3DES takes the server some 30 times the time of AES-GCM.",
            suiteRemedy()),
    RSA_KEY_EXCHANGE(
            WARNING,
            "Suites without forward secrecy are accepted",
            "Who gets the server's key later reads everything that was recorded; such handshakes are what ROBOT and its kin attack.",
            suiteRemedy()),
    EARLY_DATA_REPLAYABLE(
            WARNING,
            "A request in early data was carried out",
            "Who records the first packet can send it again; a POST, as this was one, must not go ahead before the handshake is"
                    + " complete (RFC 8470).",
            new Remedy(
                    "proxy_set_header Early-Data $ssl_early_data; and have the application answer 425",
                    "http-request wait-for-handshake if !METH_GET",
                    "listeners: [{early-data: hold}]")),
    EXPIRES_SOON(
            WARNING,
            "The certificate expires soon",
            "Renewal by ACME happens a month before the end: it has failed, or there is none.",
            certificateRemedy("a renewed certificate; automate it (ACME)")),
    NO_RESUMPTION(
            WARNING,
            "Sessions are not resumed",
            "Every client that comes back pays a full handshake: the signature again, for the server the dearest part.",
            new Remedy(
                    "ssl_session_cache shared:tls:20m; ssl_session_tickets on;",
                    "(no no-tls-tickets on bind; tune.ssl.cachesize 200000)",
                    "tickets: {rotate: 12h, keep: 36h}")),
    TICKETS_NOT_SHARED(
            WARNING,
            "Sessions are resumed only now and then",
            "Several servers, workers or addresses have keys of their own: who meets another one than before pays a full"
                    + " handshake.",
            new Remedy(
                    "ssl_session_ticket_key /etc/nginx/ticket.key; (the same file on each server, rotated)",
                    "bind … tls-ticket-keys /etc/haproxy/ticket.keys (the same file on each server, rotated)",
                    "tickets: {store: redis://…, fleet-key: /etc/sluice/fleet.key}")),
    NO_TLS13(
            WARNING,
            "TLS 1.3 is missing",
            "A handshake takes one round trip more, and its certificate is sent in the clear.",
            new Remedy(
                    "ssl_protocols TLSv1.2 TLSv1.3;",
                    "ssl-default-bind-options ssl-min-ver TLSv1.2 (and no ssl-max-ver)",
                    "listeners: [{min-version: TLSv1.2}]")),
    CHAIN_HUGE(
            WARNING,
            "The server's first flight needs a round trip more",
            "What does not fit into the initial congestion window (10 segments, RFC 6928) waits for the client's"
                    + " acknowledgement.",
            certificateRemedy("fewer and smaller certificates: ECDSA, no root, no chain for other roots")),
    CHAIN_ORDER(
            WARNING,
            "The certificates stand in the wrong order",
            "TLS 1.2 demands that each certifies the one before it; strict clients refuse the rest.",
            certificateRemedy("the certificate first, then each one's issuer")),
    KEY_UPDATE_BREAKS(
            WARNING,
            "The connection breaks at a KeyUpdate",
            "Clients that change keys on long connections, as RFC 8446 has them do, lose them.",
            Remedy.elsewhere("a newer TLS library")),
    STATUS_UNKNOWN(
            WARNING,
            "The stapled OCSP response does not vouch for the certificate",
            "Clients refuse a certificate whose status is revoked or unknown.",
            staplingRemedy()),
    CBC_SUITES(
            NOTE,
            "CBC suites are accepted",
            "Two passes over the data cost two to four times AES-GCM, and padding oracles (Lucky 13) come back again and again.",
            suiteRemedy()),
    RSA_ONLY(
            NOTE,
            "There is only an RSA certificate",
            "A signature by RSA-2048 takes the server some ten times the time of one by ECDSA P-256; the certificate is larger,"
                    + " too.",
            new Remedy(
                    "a second pair of ssl_certificate and ssl_certificate_key with an ECDSA key",
                    "bind … crt site.pem with site.pem.ecdsa beside site.pem.rsa",
                    "certificates: {site: {chain: [ecdsa.pem, rsa.pem], key: [ecdsa.key, rsa.key]}}")),
    DEAR_KEY(
            NOTE,
            "The RSA key is longer than it need be",
            "RSA-3072 takes some three times, RSA-4096 some six times the time of RSA-2048 for each full handshake.",
            certificateRemedy("ECDSA P-256, or RSA-2048 where RSA it must be")),
    SLOW_GROUP(
            NOTE,
            "A slow group is chosen",
            "P-384, P-521 and finite-field groups take several times the time of X25519.",
            groupRemedy()),
    EXTRA_ROUND_TRIP(
            NOTE,
            "A client with an X25519 share is asked again",
            "A HelloRetryRequest adds a round trip to each full handshake of most clients.",
            groupRemedy()),
    NO_PQ_GROUP(
            NOTE,
            "There is no post-quantum key exchange",
            "What is recorded today can be read by a quantum computer of tomorrow; browsers offer X25519MLKEM768 first.",
            new Remedy(
                    "ssl_ecdh_curve X25519MLKEM768:X25519:prime256v1; (OpenSSL 3.5)",
                    "ssl-default-bind-curves X25519MLKEM768:X25519:P-256 (OpenSSL 3.5)",
                    "(by default with OpenSSL 3.5)")),
    SHORT_SESSIONS(
            NOTE,
            "Sessions are short-lived",
            "Who comes back later than that pays a full handshake again.",
            new Remedy("ssl_session_timeout 1d;", "tune.ssl.lifetime 86400", "tickets: {keep: 36h}")),
    MANY_TICKETS(
            NOTE,
            "Each handshake brings many tickets",
            "Each takes the server an encryption and a quarter of a kilobyte; few clients use more than one.",
            new Remedy("ssl_conf_command NumTickets 1; (OpenSSL 3.0 or later)", "(2, fixed)", "tickets: {count: 1}")),
    TICKET_KEY_STATIC(
            NOTE,
            "The ticket key did not change",
            "Who gets it reads all TLS 1.2 sessions that it sealed; it should change every day or so.",
            new Remedy(
                    "several ssl_session_ticket_key files, rotated by cron and reload",
                    "set ssl tls-key by the admin socket, daily",
                    "tickets: {rotate: 12h, keep: 36h}")),
    CHACHA_IGNORED(
            NOTE,
            "A client's wish for ChaCha20 is not followed",
            "Clients that put it first have no AES instructions, such as small phones: AES takes them three times the energy.",
            new Remedy(
                    "ssl_conf_command Options PrioritizeChaCha; (with ssl_prefer_server_ciphers on)",
                    "ssl-default-bind-options prefer-client-ciphers",
                    "(by default)")),
    EARLY_DATA_OFFERED(
            NOTE,
            "Early data is allowed",
            "It spares a round trip, and can be replayed: see what becomes of requests in it with --early-data.",
            new Remedy(
                    "ssl_early_data off; or proxy_set_header Early-Data $ssl_early_data;",
                    "bind … (no allow-0rtt); or http-request wait-for-handshake",
                    "listeners: [{early-data: hold}]")),
    NO_STAPLE(
            NOTE,
            "No OCSP response is stapled",
            "The certificate names a responder: clients that check ask it themselves, which takes time and tells it whom they"
                    + " visit.",
            staplingRemedy()),
    NO_H2(
            NOTE,
            "HTTP/2 is not offered",
            "Browsers open six connections, and as many handshakes, where one would do.",
            new Remedy(
                    "listen 443 ssl http2;",
                    "bind :443 ssl crt … alpn h2,http/1.1",
                    "listeners: [{alpn: [h2, http/1.1]}]")),
    NO_ALPN(
            NOTE,
            "No application protocol is agreed on",
            "Without ALPN browsers take HTTP/1.1, and a server cannot tell cross-protocol attacks (ALPACA); other protocols may"
                    + " have none.",
            new Remedy(
                    "listen 443 ssl http2;",
                    "bind :443 ssl crt … alpn h2,http/1.1",
                    "listeners: [{alpn: [h2, http/1.1]}]")),
    ROOT_SENT(
            NOTE,
            "The root is sent along",
            "Clients have it or do not trust it: its bytes are wasted in each full handshake.",
            certificateRemedy("the same chain without its last certificate")),
    CHAIN_EXTRA(
            NOTE,
            "Certificates are sent that belong to no path",
            "Their bytes are wasted in each full handshake.",
            certificateRemedy("only the certificate and what leads to the root")),
    CHAIN_LARGE(
            NOTE,
            "The chain is large",
            "More than a few kilobytes come with each full handshake, before the client can say a word.",
            certificateRemedy("fewer and smaller certificates: ECDSA, no root")),
    NO_TLS12(
            NOTE,
            "TLS 1.2 is refused",
            "Clients older than 2018 or so cannot connect; that may be meant so.",
            new Remedy(
                    "ssl_protocols TLSv1.2 TLSv1.3;",
                    "ssl-default-bind-options ssl-min-ver TLSv1.2",
                    "listeners: [{min-version: TLSv1.2}]")),
    NO_EXTENDED_MASTER_SECRET(
            NOTE,
            "The extended master secret is not known",
            "TLS 1.2 sessions are not bound to their handshake (RFC 7627); some clients refuse such servers.",
            Remedy.elsewhere("a newer TLS library")),
    KEY_UPDATE_UNANSWERED(
            NOTE,
            "A KeyUpdate is not answered",
            "RFC 8446 section 4.6.3 has the server change its keys, too, when it is asked to.",
            Remedy.elsewhere("a newer TLS library")),
    NO_CLOSE_NOTIFY(
            NOTE,
            "Connections end without close_notify",
            "Clients cannot tell the end of a response from one that was cut off.",
            Remedy.elsewhere("a server that shuts TLS down before TCP")),
    SMALL_RECORDS(
            NOTE,
            "Bulk data comes in small records",
            "Each record takes a header, a tag and calls of its own: below 4 KiB that is most of the cost.",
            new Remedy("ssl_buffer_size 16k;", "tune.ssl.maxrecord 0", "(16 KiB by default)")),
    CLIENT_CERTIFICATE(
            NOTE,
            "Clients are asked for a certificate",
            "The doctor has none: where one is demanded, what lies behind the handshake was not looked at.",
            new Remedy("ssl_verify_client on;", "bind … verify required", "listeners: [{client-auth: required}]")),
    RATE_LIMITED(
            NOTE,
            "The audit was cut short",
            "Some connections were refused or stalled after others had succeeded: the server may limit their rate.",
            Remedy.elsewhere("run the doctor with --rate 1, or from an address that is not limited")),
    LOCAL_NO_OPENSSL(
            FAULT,
            "No OpenSSL is found",
            "Nothing of Sluice that speaks TLS runs without it.",
            Remedy.elsewhere("apt-get install libssl3, or name a directory with libssl.so.3: -Dsluice.openssl=DIR or"
                    + " SLUICE_OPENSSL=DIR")),
    LOCAL_SLOW_AES_GCM(
            WARNING,
            "OpenSSL does not use this processor's AVX-512 for AES-GCM",
            "OpenSSL before 3.1 seals and opens bulk data with AES-NI alone, which takes three to five times as long on such"
                    + " processors (BENCHMARKS.md, records).",
            Remedy.elsewhere("OpenSSL 3.5 or later: SLUICE_OPENSSL=DIR, see docs/operating.md")),
    LOCAL_NO_AES(
            WARNING,
            "The processor has no AES instructions that could be used",
            "AES-GCM in software is many times slower, and leaks keys through caches.",
            new Remedy(
                    "ssl_ciphers ECDHE+CHACHA20:ECDHE+AESGCM; ssl_prefer_server_ciphers on;",
                    "ssl-default-bind-ciphersuites TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256",
                    "listeners: [{ciphers: [TLS_CHACHA20_POLY1305_SHA256, TLS_AES_128_GCM_SHA256]}]")),
    LOCAL_FEW_DESCRIPTORS(
            WARNING,
            "Few descriptors may be open",
            "Each connection through the gateway takes two: who comes after the limit is refused.",
            Remedy.elsewhere("ulimit -n 1048576, or LimitNOFILE=1048576 in the unit")),
    LOCAL_NO_POST_QUANTUM(
            NOTE,
            "OpenSSL has no post-quantum key exchange",
            "What is recorded today can be read by a quantum computer of tomorrow.",
            Remedy.elsewhere("OpenSSL 3.5 or later: SLUICE_OPENSSL=DIR")),
    LOCAL_NO_URING(
            NOTE,
            "io_uring cannot be used",
            "Event loops run on epoll, which takes more system calls for small messages.",
            Remedy.elsewhere("see the reason; in a container, a seccomp profile that permits io_uring_setup, _enter and"
                    + " _register")),
    LOCAL_LITTLE_LOCKED_MEMORY(
            NOTE,
            "Little memory may be locked",
            "io_uring's queues count against it where the process has no privileges: they are made smaller, or not at all.",
            Remedy.elsewhere("ulimit -l 65536, or LimitMEMLOCK=64M in the unit")),
    LOCAL_SHORT_ACCEPT_QUEUE(
            NOTE,
            "The accept queue is short",
            "In a rush of new connections the kernel drops what does not fit, and clients try again after a second.",
            Remedy.elsewhere("sysctl net.core.somaxconn=4096")),
    LOCAL_NO_KTLS(
            NOTE,
            "The kernel has no TLS",
            "Only KernelTls wants it, which the gateway does not use: there it costs nothing.",
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

    /** Its name in reports and documents, such as {@code no-resumption}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it is of this machine and not of an endpoint. */
    public boolean isLocal() {
        return name().startsWith("LOCAL_");
    }

    /** How much it matters. */
    public Severity severity() {
        return severity;
    }

    /** What was found, in a few words. */
    public String title() {
        return title;
    }

    /** Why it matters. */
    public String why() {
        return why;
    }

    /** What to do. */
    public Remedy remedy() {
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
     * The line of configuration that mends it.
     *
     * @param nginx for nginx
     * @param haproxy for HAProxy
     * @param sluice for Sluice
     */
    public record Remedy(String nginx, String haproxy, String sluice) {
        /** What is mended outside of these three. */
        static Remedy elsewhere(String what) {
            return new Remedy(what, what, what);
        }

        /** Whether it is the same for all. */
        public boolean isElsewhere() {
            return nginx.equals(haproxy) && haproxy.equals(sluice);
        }
    }
}
