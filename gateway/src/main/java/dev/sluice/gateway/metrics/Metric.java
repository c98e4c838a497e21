package dev.sluice.gateway.metrics;

import static dev.sluice.gateway.metrics.MetricEntry.counter;
import static dev.sluice.gateway.metrics.MetricEntry.gauge;
import static dev.sluice.gateway.metrics.MetricEntry.histogram;
import static dev.sluice.gateway.metrics.MetricEntry.info;

import dev.sluice.tls.context.ClientPreference;
import dev.sluice.tls.engine.HandshakeKind;
import dev.sluice.tls.engine.KernelHandover;
import dev.sluice.tls.engine.ResumptionMiss;
import dev.sluice.tls.failure.EndReason;
import java.util.List;

/**
 * The catalogue of a gateway's metrics, in the order in which they are exposed. One entry declares all that there is to
 * say of a metric: its name, type, labels and texts, and how event loops count it. Names and units follow Prometheus:
 * seconds, bytes, ratios from 0 to 1.
 *
 * <p>The tables of docs/metrics.md are generated from it; see {@code MetricsDocumentTest}.
 */
public enum Metric {
    // --- client connections
    /** Open connections. */
    CONNECTIONS(gauge("sluice_connections", "Open client connections.")),
    /** Accepted connections. */
    CONNECTIONS_ACCEPTED(counter(
                    "sluice_connections_accepted_total",
                    "Accepted client connections, including those closed at once because of a limit.")
            .perLoop()),
    /** Connections whose TLS is not terminated. */
    PASSTHROUGH_CONNECTIONS(counter(
                    "sluice_passthrough_connections_total",
                    "Client connections passed to a backend with their TLS, by a route with tls: passthrough.")
            .perLoop()),
    /** Ends by reason. */
    CONNECTION_ENDS(counter("sluice_connection_ends_total", "Closed client connections by reason.")
            .perLoopInRows(reasonRows(), "reason")
            .details("`completed`, or the failure's name as in the log: `handshake_timeout`, `idle_timeout`,"
                    + " `connection_limit`, `client_connection_reset` …")),
    /** Relayed plaintext. */
    CONNECTION_BYTES(counter("sluice_connection_bytes_total", "Plaintext bytes relayed between clients and backends.")
            .perLoopBy("direction", Direction.class)
            .details("`to_backend` or `to_client`.")),

    // --- handshakes with clients
    /** Completed handshakes by negotiated parameters. */
    TLS_HANDSHAKES(counter("sluice_tls_handshakes_total", "Completed TLS handshakes with clients.")
            .perLoopInRows(96, "kind", "version", "cipher", "group", "signature")
            .details(
                    "`kind` is `full`, `resumed`, or `early` if early data was accepted. `group` is empty without a key"
                            + " exchange, `signature` without a signature. Names are those of the IANA registries:"
                            + " `TLSv1.3`,"
                            + " `TLS_AES_128_GCM_SHA256`, `X25519`, `ecdsa_secp256r1_sha256`.")),
    /** Completed handshakes by name. */
    TLS_SERVER_NAMES(counter(
                    "sluice_tls_server_name_handshakes_total",
                    "Completed TLS handshakes with clients by the configured server name that matched.")
            .perLoopInRows(128, "server_name", "kind")
            .details("Such as `*.example.com`; empty if none matched. Names that clients invent are never a label.")),
    /** Failed handshakes. */
    TLS_HANDSHAKE_FAILURES(
            counter("sluice_tls_handshake_failures_total", "Failed TLS handshakes with clients by reason and fault.")
                    .perLoopInRows(reasonRows(), "reason", "fault")
                    .details("Handshakes refused because of a limit do not count. `fault` is `peer`, `environment`"
                            + " (this machine,"
                            + " the network, revocation lists) or `internal`.")),
    /** Time until a handshake is complete. */
    TLS_HANDSHAKE_DURATION(histogram(
                    "sluice_tls_handshake_duration_seconds",
                    "Time from a client's first bytes to its completed TLS handshake, including time in the queue"
                            + " and on"
                            + " the network.")
            .perLoopBy("kind", HandshakeKind.class)
            .details("`kind` is `full`, `resumed` or `early`.")),
    /** Time inside OpenSSL. */
    TLS_HANDSHAKE_LIBRARY(counter(
                    "sluice_tls_handshake_library_seconds_total",
                    "Wall-clock time that completed TLS handshakes with clients spent in OpenSSL.")
            .perLoop()),
    /** Reasons for full handshakes. */
    TLS_RESUMPTION_MISSES(counter(
                    "sluice_tls_resumption_misses_total",
                    "Full TLS handshakes with clients by the reason why no session was resumed.")
            .perLoopBy("reason", ResumptionMiss.class)
            .details("`none_offered` (a new client, or one that keeps no tickets), `tickets_off` (whether or not a"
                    + " ticket"
                    + " was offered), `unknown_key` (keys are not shared, or were lost), `expired`,"
                    + " `other_host`,"
                    + " `other_context` (another certificate or client authentication), `other_version`,"
                    + " `other_suite`,"
                    + " `damaged`, `unknown`.")),
    /** First cipher of ClientHellos. */
    TLS_CLIENT_PREFERENCE(
            counter("sluice_tls_client_preference_total", "ClientHellos by the cipher that the client lists first.")
                    .perLoopBy("cipher", ClientPreference.class)
                    .details("Clients without AES instructions list `chacha20` first, others `aes`. `unknown`: the"
                            + " ClientHello was"
                            + " fragmented, or was none.")),
    /** Offered tickets by result. */
    TLS_TICKETS(counter("sluice_tls_tickets_total", "Session tickets that clients offered, by result.")
            .labels("result")
            .details("Opened with the `current` or a `previous` key; rejected for an `unknown` or `expired` key.")),
    /** Issued tickets. */
    TLS_TICKETS_ISSUED(counter("sluice_tls_tickets_issued_total", "Session tickets issued to clients.")),
    /** Ticket keys by state. */
    TLS_TICKET_KEYS(gauge("sluice_tls_ticket_keys", "Session-ticket keys by state.")
            .labels("state")
            .details("`next`, `current`, `previous` or `expired`.")),
    /** Age of the key that encrypts tickets. */
    TLS_TICKET_KEY_AGE(
            gauge("sluice_tls_ticket_key_age_seconds", "Time since the current session-ticket key became current.")
                    .details("Above `tickets.rotate`, rotation has stopped.")),
    /** Last access to the shared key store. */
    TLS_TICKET_SYNC(gauge(
                    "sluice_tls_ticket_sync_timestamp_seconds",
                    "Time of the last successful access to the shared store of session-ticket keys.")
            .details("Absent without a shared store, or before the first access.")),
    /** Failed accesses to the key store. */
    TLS_TICKET_STORE_FAILURES(
            counter("sluice_tls_ticket_store_failures_total", "Failed accesses to the store of session-ticket keys.")),
    /** Handshakes by the part of Encrypted ClientHello. */
    TLS_ECH(counter(
                    "sluice_tls_ech_handshakes_total",
                    "Completed TLS handshakes of listeners with Encrypted ClientHello by its result.")
            .perLoopInRows(12, "result", "outer_name")
            .details("`accepted`: the name inside counted; `rejected`: no key opened it (GREASE, or an outdated key);"
                    + " `absent`. `outer_name` is the name sent in the clear: `public`, `other` or `none`.")),
    /** Keys for Encrypted ClientHello. */
    TLS_ECH_KEYS(gauge("sluice_tls_ech_keys", "Keys for Encrypted ClientHello by directory.")
            .labels("directory")),
    /** Age of the published key. */
    TLS_ECH_KEY_AGE(gauge("sluice_tls_ech_key_age_seconds", "Age of the newest key for Encrypted ClientHello.")
            .labels("directory")
            .details("Above `ech.rotate`, rotation has stopped.")),
    /** Failed refreshes of the keys. */
    TLS_ECH_FAILURES(
            counter("sluice_tls_ech_key_failures_total", "Failed refreshes of keys for Encrypted ClientHello.")),
    /** Early data by result, as far as loops count it; refusals are counted where they are decided. */
    TLS_EARLY_DATA(counter("sluice_tls_early_data_total", "Connections with early data (0-RTT) by result.")
            .perLoopBy("result", EarlyDataResult.class)
            .details("`accepted`; of these, `forwarded` before the handshake was complete; `refused_` and the"
                    + " reason, such"
                    + " as `refused_unfit` or `refused_replayed`.")),
    /** Connections by record protection. */
    TLS_ENGINE(counter(
                    "sluice_tls_engine_total",
                    "TLS connections with clients and backends by what protects their records after the handshake.")
            .labels("engine", "reason")
            .details("`direct` (reason `complete`), or `memory`, which is OpenSSL, and why: `suite`, `bytes_held`,"
                    + " `ticket_awaited` …")),
    /** Connections of listeners whose records the kernel is to protect. */
    TLS_KERNEL_RECORDS(counter(
                    "sluice_tls_kernel_records_total",
                    "Connections of listeners with records by the kernel, by what protects theirs.")
            .perLoopBy("outcome", KernelHandover.class)
            .details("With `records: kernel` or `auto`. `kernel`, or why the gateway does: `kernel_lacks_tls`, `suite`"
                    + " (not the kernel's), `short_records` (all the client takes), `libssl` (has kept it),"
                    + " `never_at_rest` (ended before both directions stood between two records).")),
    /** Handshakes of listeners with the lean handshake. */
    TLS_LEAN(counter(
                    "sluice_tls_lean_hellos_total",
                    "ClientHellos on listeners with the lean handshake by what answers them.")
            .labels("path", "reason")
            .details("`lean` (reason `answered`), or `libssl`, and why: `pre_shared_key`, `version`, `key_share`,"
                    + " `extension` …")),
    /** Processor time for cryptography. */
    TLS_CRYPTO_CPU(counter(
                    "sluice_tls_crypto_cpu_seconds_total",
                    "CPU time spent on TLS with clients and backends by phase; seal and open are sampled estimates.")
            .labels("phase")),
    /** End of a certificate's validity. */
    TLS_CERTIFICATE_NOT_AFTER(
            gauge("sluice_tls_certificate_not_after_timestamp_seconds", "Expiry time of each configured certificate.")
                    .labels("name", "key_type")),
    /** Unusable certificate files. */
    TLS_CERTIFICATE_FILES_UNUSABLE(gauge(
                    "sluice_tls_certificate_files_unusable",
                    "Certificates with unusable files by configuration entry and consequence.")
            .labels("name", "consequence")
            .details(
                    "`skipped`, or `kept`: the previous certificate is still served. Absent if all files are usable.")),
    /** End of a staple's validity. */
    TLS_OCSP_NEXT_UPDATE(gauge(
                    "sluice_tls_ocsp_next_update_timestamp_seconds",
                    "Expiry time of the OCSP response stapled to a certificate.")
            .labels("name", "key_type")
            .details("Absent without a response. If a responder is down, this time comes closer and is not extended.")),
    /** Lifetime of a staple. */
    TLS_OCSP_LIFETIME(gauge(
                    "sluice_tls_ocsp_lifetime_seconds",
                    "Lifetime of the OCSP response stapled to a certificate, from thisUpdate to nextUpdate.")
            .labels("name", "key_type")),
    /** Failed fetches of a staple. */
    TLS_OCSP_FAILURE(gauge(
                    "sluice_tls_ocsp_failure",
                    "1 while the last attempt to fetch a certificate's OCSP response has failed, by cause.")
            .labels("name", "key_type", "cause")
            .details("Absent otherwise. `cause`: `no_connection`, `no_answer`, `http_status`, `malformed`, `refused`,"
                    + " `other_certificate`, `signature`, `certificate_unknown`, `outdated`, `not_renewed` (the same"
                    + " response again, near its end), `not_yet_valid`, `revoked`, `issuer_unknown` or `internal`.")),
    /** Certificates with a responder. */
    TLS_OCSP_CERTIFICATES(
            gauge("sluice_tls_ocsp_certificates", "Certificates with an OCSP responder by state of their response.")
                    .labels("state")
                    .details("`stapled` or `missing`.")),
    /** Requests to responders. */
    TLS_OCSP_REQUESTS(counter("sluice_tls_ocsp_requests_total", "Requests to OCSP responders by result.")
            .labels("result")
            .details("`fetched` or `failed`.")),
    /** Next attempt to order a certificate. */
    ACME_NEXT_ATTEMPT(gauge(
                    "sluice_acme_next_attempt_timestamp_seconds",
                    "Time of the renewal of a certificate by ACME, or of the next attempt.")
            .labels("name", "key_type")),
    /** Failed attempts in a row. */
    ACME_FAILURES(gauge("sluice_acme_failures", "Attempts to order a certificate by ACME that failed in a row.")
            .labels("name", "key_type")),
    /** Orders. */
    ACME_ORDERS(counter("sluice_acme_orders_total", "Attempts to order a certificate by ACME by result.")
            .labels("result")
            .details("`issued` or `failed`.")),
    /** Last access to the store of certificates. */
    ACME_STORE_SYNC(gauge(
                    "sluice_acme_store_sync_timestamp_seconds",
                    "Time of the last successful access to the store that shares certificates by ACME.")
            .details("Absent without `acme.store: tickets`, or before the first access.")),
    /** Failed accesses to the store of certificates. */
    ACME_STORE_FAILURES(counter(
                    "sluice_acme_store_failures_total",
                    "Failed accesses to the store that shares certificates by ACME.")
            .details("Absent without `acme.store: tickets`.")),

    // --- admission
    /** Handshakes by admission. */
    ADMISSION_HANDSHAKES(
            counter("sluice_admission_handshakes_total", "Clients whose TLS handshake was admitted or refused.")
                    .perLoopBy("result", AdmissionResult.class)
                    .details("`admitted` or `refused`; `sluice_connection_ends_total` names the limit.")),
    /** Queued handshakes. */
    ADMISSION_QUEUED(
            counter("sluice_admission_queued_total", "Clients that waited in the queue for their TLS handshake.")
                    .perLoop()),
    /** Full handshakes that were prioritized as resumptions. */
    ADMISSION_TICKETS_REFUSED(counter(
                    "sluice_admission_tickets_refused_total",
                    "Clients prioritized for a session ticket of ours whose handshake turned out to be full.")
            .perLoop()),
    /** Pending handshakes. */
    ADMISSION_IN_FLIGHT(gauge("sluice_admission_handshakes_in_flight", "TLS handshakes with clients in flight.")),
    /** Limit of connections. */
    ADMISSION_CONNECTIONS_MAX(gauge("sluice_admission_connections_max", "Maximum of open client connections.")
            .details("`limits.connections`, or what the descriptor limit allows.")),

    // --- backends
    /** Health state of servers. */
    BACKEND_UP(gauge("sluice_backend_up", "1 if a server is healthy, 0 if it is down or ejected.")
            .labels("backend", "server")
            .details("Down: by health checks, or because its name does not resolve. Absent while an operator has the"
                    + " server disabled.")),
    /** Modes of servers. */
    BACKEND_MODE(gauge("sluice_backend_mode", "1 for the mode in which operators have a server used.")
            .labels("backend", "server", "mode")
            .details("`mode` is `enabled`, `draining` or `disabled`; see `sluice backends`.")),
    /** Open connections to servers. */
    BACKEND_CONNECTIONS(gauge("sluice_backend_connections", "Connections to a server, open or being made.")
            .labels("backend", "server")),
    /** Weights of servers. */
    BACKEND_WEIGHT(gauge("sluice_backend_weight", "Weight of a server in load balancing.")
            .labels("backend", "server", "role")
            .details("`role` is `primary` or `backup`; a backup receives connections only while no primary can.")),
    /** Connections to servers. */
    BACKEND_CONNECTS(counter("sluice_backend_connects_total", "Connections established to a server.")
            .perServer()),
    /** Failed connection attempts. */
    BACKEND_CONNECT_FAILURES(counter("sluice_backend_connect_failures_total", "Failed attempts to connect to a server.")
            .perServer()
            .details("Another server may have been tried then.")),
    /** Retries of connects. */
    BACKEND_RETRIES(counter(
                    "sluice_backend_retries_total",
                    "Attempts to connect to a server after another one did not accept the connection.")
            .perServer()
            .details("Bounded by `retries` of the backend.")),
    /** Connections that no client came to use. */
    BACKEND_CONNECTS_UNUSED(counter(
                    "sluice_backend_unused_connects_total",
                    "Connections to a server that were closed since the client's handshake failed.")
            .perServer()
            .details("With `connect: at-hello` and forwarded early data.")),
    /** Ejections of servers. */
    BACKEND_EJECTIONS(
            counter("sluice_backend_ejections_total", "Ejections of a server after failed attempts to connect to it.")
                    .perServer()),
    /** Handshakes with servers. */
    BACKEND_HANDSHAKES(counter(
                    "sluice_backend_handshakes_total",
                    "Completed TLS handshakes with a server, including those of health checks.")
            .perServerBy("kind", ServerHandshake.class)
            .details("`kind` is `full` or `resumed`.")),
    /** Health checks. */
    BACKEND_HEALTH_CHECKS(counter("sluice_backend_health_checks_total", "Health checks of a server.")
            .perServer()),
    /** Failed health checks. */
    BACKEND_HEALTH_CHECK_FAILURES(
            counter("sluice_backend_health_check_failures_total", "Failed health checks of a server.")
                    .perServer()),
    /** Lookups of names. */
    BACKEND_NAME_LOOKUPS(counter("sluice_backend_name_lookups_total", "Lookups of the names of a backend's servers.")
            .labels("backend")
            .details("One takes a question for each family of addresses, and for each host of a service.")),
    /** Failed lookups of names. */
    BACKEND_NAME_LOOKUP_FAILURES(counter(
                    "sluice_backend_name_lookup_failures_total",
                    "Lookups of the names of a backend's servers that had no answer, or an empty one.")
            .labels("backend")
            .details("The servers that the name had before stay in use.")),
    /** Names that fail. */
    BACKEND_NAMES_FAILING(
            gauge("sluice_backend_names_failing", "Names of a backend's servers whose last lookup failed.")
                    .labels("backend")),

    // --- event loops
    /** Iterations. */
    LOOP_TURNS(
            counter("sluice_loop_turns_total", "Iterations of an event loop.").labels("loop")),
    /** System calls. */
    LOOP_SYSTEM_CALLS(counter(
                    "sluice_loop_system_calls_total",
                    "System calls of an event loop that wait for events or move data.")
            .labels("loop")),
    /** Dispatched events. */
    LOOP_EVENTS(counter(
                    "sluice_loop_events_total",
                    "Completions (io_uring) or operations (epoll) dispatched by an event loop.")
            .labels("loop")
            .details("Many per turn: the loop is busy, and batches.")),
    /** Processor time. */
    LOOP_CPU(counter("sluice_loop_cpu_seconds_total", "CPU time of an event loop's thread.")
            .labels("loop")),
    /** Utilization. */
    LOOP_BUSY_RATIO(gauge(
                    "sluice_loop_busy_ratio",
                    "CPU utilization of an event loop's thread over the last second or more, from 0 to 1.")
            .labels("loop")
            .details("Measured between reads at least a second apart. For graphs, prefer the rate of the"
                    + " counter above.")),
    /** Open connections. */
    LOOP_CONNECTIONS(gauge("sluice_loop_connections", "Open connections of an event loop, with clients and backends.")
            .labels("loop")),
    /** Bytes on the wire. */
    LOOP_BYTES(counter("sluice_loop_bytes_total", "Bytes that an event loop received from and sent to its sockets.")
            .labels("loop", "direction")
            .details("`received` or `sent`, whether encrypted or not.")),
    /** Bytes copied. */
    LOOP_BYTES_COPIED(
            counter("sluice_loop_copied_bytes_total", "Bytes copied in user space, other than by a cipher or OpenSSL.")
                    .labels("loop")
                    .details("Next to none.")),
    /** Buffers in use. */
    LOOP_BUFFERS_LEASED(gauge(
                    "sluice_loop_buffers_leased",
                    "Leased buffers of an event loop, including those provided to the kernel for receives.")
            .labels("loop")
            .details("On io_uring the kernel holds up to 128; an idle connection holds none.")),
    /** Buffer shortages. */
    LOOP_BUFFER_SHORTAGES(counter(
                    "sluice_loop_buffer_shortages_total",
                    "Waits for a buffer because all buffers of an event loop were leased.")
            .labels("loop")),
    /** Failed accepts. */
    LOOP_ACCEPT_FAILURES(
            counter("sluice_loop_accept_failures_total", "Connections that an event loop failed to accept.")
                    .labels("loop")
                    .details("Mostly for lack of descriptors.")),
    /** Uncaught exceptions. */
    LOOP_UNCAUGHT(counter("sluice_loop_uncaught_total", "Uncaught exceptions on an event loop.")
            .labels("loop")
            .details("Each one is a defect of the gateway: please report the stack trace in the log.")),

    // --- memory
    /** Native bytes. */
    MEMORY_BYTES(gauge("sluice_memory_bytes", "Native memory by owner.")
            .labels("owner")
            .details("Such as `loop-0 buffers`. Memory that OpenSSL allocates for itself does not count.")),
    /** Native handles. */
    MEMORY_HANDLES(gauge("sluice_memory_handles", "Native regions and handles by owner.")
            .labels("owner")
            .details("`SSL` are handshakes in flight, and connections that did not detach from libssl.")),

    // --- configuration and life cycle
    /** Reloads. */
    CONFIG_RELOADS(counter("sluice_config_reload_total", "Reloads of the configuration or of certificates by result.")
            .labels("result")
            .details("`served` or `refused`.")),
    /** Result of the last reload. */
    CONFIG_RELOAD_SUCCESSFUL(gauge(
            "sluice_config_reload_successful",
            "0 if the last reload was rejected and the previous configuration is still active, else 1.")),
    /** Time of the last successful reload. */
    CONFIG_RELOAD_TIMESTAMP(
            gauge("sluice_config_reload_success_timestamp_seconds", "Time when the active configuration took effect.")),
    /** Firing alerts. */
    ALERT_FIRING(gauge("sluice_alert_firing", "1 while an alert fires, 0 otherwise.")
            .labels("alert")
            .details("Alerts are configured under `alerts`, see [alerts.md](alerts.md).")),
    /** Lost lines of the access log. */
    ACCESS_LOG_DROPPED(counter(
            "sluice_access_log_dropped_total",
            "Access-log lines dropped because the log could not be written fast enough.")),
    /** Lost lines of the log. */
    LOG_LINES_LOST(
            counter("sluice_log_lines_lost_total", "Log lines lost because the log's target did not take them.")),
    /** Pushes of metrics. */
    OTLP_PUSHES(counter("sluice_otlp_pushes_total", "Pushes of metrics by OTLP, by outcome.")
            .labels("outcome")
            .details("`sent` or `failed`.")),
    /** Draining. */
    DRAINING(gauge("sluice_draining", "1 once the gateway drains and accepts no more connections, 0 before.")),
    /** Version of the gateway. */
    BUILD(info("sluice_build_info", "Version of the gateway.").labels("version")),
    /** Version of OpenSSL. */
    OPENSSL(info("sluice_openssl_info", "Version and library file of OpenSSL.").labels("version", "library")),
    /** Implementation of X25519. */
    X25519(info("sluice_x25519_info", "Library that computes X25519 in lean handshakes.")
            .labels("implementation")),
    /** Transport. */
    TRANSPORT(info("sluice_transport_info", "Transport of the event loops, and why it was chosen.")
            .labels("transport", "reason")
            .details("`io_uring` or `epoll`.")),

    // --- process and JVM, under the names of Prometheus' client libraries
    /** Processor time of all threads. */
    PROCESS_CPU(counter("process_cpu_seconds_total", "Total user and system CPU time spent in seconds.")),
    /** Resident memory. */
    PROCESS_RESIDENT(gauge("process_resident_memory_bytes", "Resident memory size in bytes.")),
    /** Open descriptors. */
    PROCESS_OPEN_FDS(
            gauge("process_open_fds", "Number of open file descriptors.").details("Two for each relayed connection.")),
    /** Limit of descriptors. */
    PROCESS_MAX_FDS(gauge("process_max_fds", "Maximum number of open file descriptors.")),
    /** Start time. */
    PROCESS_START(gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds.")),
    /** Used memory. */
    JVM_MEMORY_USED(gauge("jvm_memory_used_bytes", "Used bytes of a given JVM memory area.")
            .labels("area")
            .details("`heap` or `nonheap`.")),
    /** Committed memory. */
    JVM_MEMORY_COMMITTED(gauge("jvm_memory_committed_bytes", "Committed bytes of a given JVM memory area.")
            .labels("area")),
    /** Limit of memory. */
    JVM_MEMORY_MAX(gauge("jvm_memory_max_bytes", "Max bytes of a given JVM memory area.")
            .labels("area")
            .details("Absent without a limit.")),
    /** Collections. */
    JVM_GC_COLLECTIONS(counter("jvm_gc_collections_total", "Collections of a given garbage collector.")
            .labels("gc")
            .details("The data path allocates nothing; handshakes and scrapes do.")),
    /** Time of collections. */
    JVM_GC_TIME(counter("jvm_gc_collection_seconds_total", "Time spent in a given garbage collector.")
            .labels("gc")),
    /** Threads. */
    JVM_THREADS(gauge("jvm_threads_current", "Current platform thread count of the JVM.")),
    /** Version of the JVM. */
    JVM(info("jvm_info", "VM version info.").labels("version", "vendor", "runtime"));

    /** The shapes in which each event loop counts a metric. */
    public enum Counted {
        /** Counted elsewhere, or measured: a collector reads it. */
        NOT_BY_LOOPS,
        /** One slot, or one histogram, for each of {@link Metric#columns()}. */
        IN_SLOTS,
        /** A table of its own, with a row for each combination of labels. */
        IN_ROWS,
        /** The table of servers, whose rows have slots for all such metrics. */
        IN_SERVER_ROWS
    }

    /** The units of values, which are the last word of names. */
    public enum Unit {
        /** A number of things. */
        NONE,
        /** Seconds: a duration, or a time since 1970. */
        SECONDS,
        /** Bytes. */
        BYTES,
        /** A share from 0 to 1. */
        RATIO
    }

    /** Directions of relayed plaintext. */
    public enum Direction {
        /** The direction from a client to a backend. */
        TO_BACKEND,
        /** The direction from a backend to a client. */
        TO_CLIENT
    }

    /** Results of early data that event loops count: each is part of the one before it. */
    public enum EarlyDataResult {
        /** Accepted. */
        ACCEPTED,
        /** Forwarded to the backend before the handshake was complete. */
        FORWARDED
    }

    /** Decisions of admission. */
    public enum AdmissionResult {
        /** The handshake started. */
        ADMITTED,
        /** A limit kept it from starting. */
        REFUSED
    }

    /** Kinds of handshakes with servers. */
    public enum ServerHandshake {
        /** A full handshake, with a key exchange and a certificate. */
        FULL,
        /** A resumed handshake. */
        RESUMED
    }

    private final String id;
    private final MetricType type;
    private final Unit unit;
    private final String help;
    private final String details;
    private final Counted counted;
    private final int rowsMax;

    @SuppressWarnings("ImmutableEnumChecker") // List.copyOf
    private final List<String> labels;

    @SuppressWarnings("ImmutableEnumChecker") // List.copyOf
    private final List<String> columns;

    Metric(MetricEntry entry) {
        id = entry.id;
        type = entry.type;
        unit = unitOf(entry.id);
        help = entry.help;
        details = entry.details;
        counted = entry.counted;
        rowsMax = entry.rowsMax;
        labels = List.copyOf(entry.labels);
        columns = List.copyOf(entry.columns);
    }

    /** Returns the rows of a metric by reason: each reason may occur on each of the five sides of a session. */
    private static int reasonRows() {
        return 5 * EndReason.values().length;
    }

    private static Unit unitOf(String id) {
        String base = id.endsWith("_total") ? id.substring(0, id.length() - "_total".length()) : id;
        return switch (base.substring(base.lastIndexOf('_') + 1)) {
            case "seconds" -> Unit.SECONDS;
            case "bytes" -> Unit.BYTES;
            case "ratio" -> Unit.RATIO;
            default -> Unit.NONE;
        };
    }

    /** Returns the name that operators see, such as {@code sluice_tls_handshakes_total}. */
    public String id() {
        return id;
    }

    /** Returns its type. */
    public MetricType type() {
        return type;
    }

    /** Returns the unit of its values. */
    public Unit unit() {
        return unit;
    }

    /** Returns one sentence that says what is counted or measured. */
    public String help() {
        return help;
    }

    /** Returns further sentences in Markdown for the documentation; may be empty. */
    String details() {
        return details;
    }

    /** Returns the names of its labels; empty if it has one series. */
    public List<String> labels() {
        return labels;
    }

    /** Returns the way in which event loops count it. */
    public Counted counted() {
        return counted;
    }

    /** Returns the most rows of a metric that is counted {@link Counted#IN_ROWS}. */
    public int rowsMax() {
        return rowsMax;
    }

    /** Returns the values of its last label that have a slot each; one empty text if it has no such label. */
    public List<String> columns() {
        return columns;
    }
}
