package dev.sluice.gateway.alerts;

import dev.sluice.tls.failure.EndReason;
import java.util.List;

/**
 * The first steps to take for each alert, with the line of configuration where there is one. Where TLS itself costs too
 * much it is always the same ladder, the greatest gain for the least risk first: resumption, ECDSA, TLS 1.3, the order
 * of ciphers, more processors.
 */
final class Advice {
    private static final String RESUME =
            "Let clients resume. tickets must not be off; write tickets: {rotate: 12h, keep: 24h}, and see whether"
                    + " a recent reload"
                    + " has changed it.";
    private static final String SHARE_KEYS =
            "Where several gateways are behind one address, let them share ticket keys: tickets: {store:"
                    + " \"rediss://HOST:6379\","
                    + " fleet-key: fleet.key}.";
    static final String ECDSA =
            "Serve ECDSA P-256, and RSA beside it for old clients: certificates: {shop: {chain: [ecdsa.pem,"
                    + " rsa.pem], key: [ecdsa.key,"
                    + " rsa.key]}}.";
    private static final String TLS_1_3 =
            "Where all clients can, let them speak TLS 1.3 only, in which each of them gets tickets: listeners:"
                    + " [{…, min-version: 1.3}].";
    private static final String CIPHERS =
            "Keep AES-128-GCM before the other suites: leave ciphers out, or write profile: intermediate.";
    private static final String CORES =
            "Give it more processors and leave loops out, which makes one loop for each; until then keep"
                    + " established connections safe:"
                    + " limits: {handshakes-per-second: 2000}.";

    /** The steps that let clients resume, where the reason why they do not is unknown. */
    static final List<String> RESUMPTION = List.of(
            "See whether clients resume: sluice_tls_resumption_misses_total has the reasons.", RESUME, SHARE_KEYS);

    /** The steps that make full handshakes rarer or less expensive. */
    static final List<String> LADDER = List.of(ECDSA, TLS_1_3, CIPHERS, CORES);

    static final List<String> RSA = List.of(
            ECDSA,
            "If there is an ECDSA certificate, see that the listener names it: listeners: [{…, certificates:"
                    + " [shop]}]; ./sluice check warns"
                    + " what RSA costs here.");

    static final List<String> CHACHA20 = List.of(
            "Leave ChaCha20 to clients that put it first: they lack AES instructions, and with AES"
                    + " their own processor is"
                    + " what slows them down.",
            "If servers or desktops are among them, have them prefer AES-128-GCM: here a record of ChaCha20 costs"
                    + " several times as much"
                    + " (./sluice bench record measures it).",
            "If it is clients' true share, plan processors for it:"
                    + " sluice_tls_crypto_cpu_seconds_total{phase=\"seal\"}; leave loops out.");

    static final List<String> CHACHA20_MISSED = List.of(
            "Let clients have ChaCha20 that put it first, phones without AES instructions: leave ciphers out, or"
                    + " write profile:"
                    + " intermediate.",
            "If suites must be listed, put it behind AES: ciphers: [TLS_AES_128_GCM_SHA256,"
                    + " TLS_CHACHA20_POLY1305_SHA256]; whoever puts it"
                    + " first gets it.");

    static final List<String> FAILURES = List.of(
            "See which reason leads, in sluice_tls_handshake_failures_total and docs/reasons.md, and whose fault"
                    + " it is.",
            "fault=\"peer\" since a certificate was renewed: clients do not trust the new chain; see that the"
                    + " intermediate certificates are"
                    + " in it: certificates: {shop: {chain: fullchain.pem, …}}.",
            "No common version or suite since a configuration was changed: write profile: intermediate.",
            "From few addresses: limits: {handshakes-per-second-per-address: 20}.");

    static final List<String> INTERNAL_FAILURES = List.of(
            "Read the lines with ERROR in the log: they name value, cause and remedy.",
            "If the configuration was changed just before, reload the old one.",
            "Please report it, with these lines and the output of ./sluice --version.");

    static final List<String> CERTIFICATE = List.of(
            "Renew the certificate: write the new files in place of the old ones; they are reloaded automatically.",
            "If it has been renewed, see that chain and key name the new files, and that the gateway may read"
                    + " them: ./sluice certificates"
                    + " --admin SOCKET.",
            "If short-lived certificates are meant: alerts: {certificate-expiry: 2d}.");

    static final List<String> ACME_FAILURES = List.of(
            "See the last error and the next attempt of each certificate by ./sluice certificates.",
            "If names are not proved: let them lead to this gateway, on port 443 for tls-alpn-01, port 80 for http-01.",
            "When the cause is removed, ./sluice reload makes the next attempt at once. The previous certificate stays"
                    + " in use until it expires.");

    static final List<String> CERTIFICATE_FILES = List.of(
            "The log names each file, with cause and remedy, and so does ./sluice check FILE. Put the right file in"
                    + " its place, or remove it from its directory; the change is reloaded automatically.",
            "All other certificates are served and renewed. Of one that was served before, the previous one stays in"
                    + " use to its end.",
            "A restart would leave out what is skipped, and fail where the configuration names the file: mend it"
                    + " before one comes.");

    static final List<String> TICKET_KEY = List.of(
            "With store: \"file:DIRECTORY\", have whoever makes the keys write a new one; the last file by name seals.",
            "With store: \"redis://…\", see sluice_tls_ticket_sync_timestamp_seconds and the log.",
            "Else ./sluice tickets rotate --admin SOCKET has a new key take over now.");

    static final List<String> TICKET_SYNC = List.of(
            "See whether the store answers: the log has the cause. Nothing changes for clients while"
                    + " the keys last that"
                    + " are ahead, a day at least.",
            "If it has gone for good, name another: tickets: {store: \"rediss://HOST:6379\", fleet-key:"
                    + " fleet.key}, and restart.");

    static final List<String> BACKEND_DOWN = List.of(
            "Look at the servers: the log and sluice_backend_up show which are down, and why.",
            "If they are well and the checks are wrong, correct them: backends: {web: {health: {…}}}.",
            "If a release has broken them, roll it back; clients' connections are closed meanwhile.");

    static final List<String> SERVERS_DOWN = List.of(
            "Look at the server: the log has the cause. The others carry its share.",
            "If it was taken away on purpose, take it out of the list: backends: {web: {servers: […]}}, and reload.",
            "If single servers may be down: alerts: {servers-down: 1}, or off.");

    static final List<String> BACKEND_NAMES = List.of(
            "The log names each, and why. Its servers stay in use, and changes of its addresses go unnoticed.",
            "See whether the nameservers answer: those of /etc/resolv.conf, or backends: {web: {nameservers: […]}}.",
            "If a name has been given up, take it out of the list: backends: {web: {servers: […]}}, and reload.");

    static final List<String> CONNECTIONS = List.of(
            "Raise the limit of descriptors, two for each connection: LimitNOFILE=1048576, or ulimit -n; and"
                    + " limits: {connections: …} if it"
                    + " is set.",
            "If many are idle: limits: {idle-timeout: 2m}.",
            "If few addresses hold most: limits: {connections-per-address: 100}.",
            "Else another gateway beside this one.");

    static final String REFUSALS =
            "See which limit they meet, in sluice_connection_ends_total: " + EndReason.HANDSHAKE_CAPACITY.label()
                    + " means that the processors cannot do more; " + EndReason.HANDSHAKE_ADDRESS_RATE.label()
                    + " means a flood from few addresses, kept away as intended.";

    static final List<String> BUFFERS = List.of(
            "See sluice_memory_bytes and sluice_connections: clients or backends that read slowly hold buffers.",
            "Let each connection hold less: limits: {held-bytes: 64KiB}.",
            "More loops have more buffers: leave loops out, or raise it.");

    static final List<String> ACCESS_LOG = List.of(
            "See whether the disk of the access log is full or slow.", "Write fewer lines: let the access log sample.");

    static final List<String> RELOAD = List.of(
            "The log has file, line and remedy, as ./sluice check FILE has. The previous configuration stays active.",
            "A restart would fail with this configuration: mend it before one comes.");

    private Advice() {}
}
