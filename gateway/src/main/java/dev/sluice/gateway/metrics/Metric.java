package dev.sluice.gateway.metrics;

import static dev.sluice.gateway.metrics.MetricType.COUNTER;
import static dev.sluice.gateway.metrics.MetricType.GAUGE;
import static dev.sluice.gateway.metrics.MetricType.HISTOGRAM;
import static dev.sluice.gateway.metrics.MetricType.INFO;

import java.util.List;

/**
 * Every metric of a gateway's page, in its order: the catalogue that docs/metrics.md explains. Names and units are those of
 * Prometheus: seconds, bytes, ratios from 0 to 1.
 */
public enum Metric {
    // --- client connections
    /** Open now. */
    CONNECTIONS("sluice_connections", GAUGE, "Client connections that are open now."),
    /** Accepted. */
    CONNECTIONS_ACCEPTED(
            "sluice_connections_accepted_total",
            COUNTER,
            "Client connections accepted, those included that were refused at once because of a limit."),
    /** Ended, by reason. */
    CONNECTION_ENDS(
            "sluice_connection_ends_total", COUNTER, "Client connections that have ended, by reason.", "reason"),
    /** Plaintext relayed. */
    CONNECTION_BYTES(
            "sluice_connection_bytes_total",
            COUNTER,
            "Bytes of plaintext relayed between clients and backends.",
            "direction"),

    // --- handshakes with clients
    /** Completed, by what they came to. */
    TLS_HANDSHAKES(
            "sluice_tls_handshakes_total",
            COUNTER,
            "TLS handshakes with clients that were completed.",
            "kind",
            "version",
            "cipher",
            "group",
            "signature"),
    /** Completed, by name. */
    TLS_SERVER_NAMES(
            "sluice_tls_server_name_handshakes_total",
            COUNTER,
            "TLS handshakes with clients that were completed, by the configured name that the client's came to.",
            "server_name",
            "kind"),
    /** Failed, by reason and who is to blame. */
    TLS_HANDSHAKE_FAILURES(
            "sluice_tls_handshake_failures_total",
            COUNTER,
            "TLS handshakes with clients that were not completed, by reason and who is to blame.",
            "reason",
            "fault"),
    /** How long clients waited. */
    TLS_HANDSHAKE_DURATION(
            "sluice_tls_handshake_duration_seconds",
            HISTOGRAM,
            "Time from a client's first bytes to its completed TLS handshake, waits in queues and on the network included.",
            "kind"),
    /** In the library, of completed handshakes. */
    TLS_HANDSHAKE_LIBRARY(
            "sluice_tls_handshake_library_seconds_total",
            COUNTER,
            "Time that completed TLS handshakes with clients spent inside the TLS library."),
    /** Why handshakes were full. */
    TLS_RESUMPTION_MISSES(
            "sluice_tls_resumption_misses_total",
            COUNTER,
            "Full TLS handshakes with clients, by why no session was resumed.",
            "reason"),
    /** What clients would rather have. */
    TLS_CLIENT_PREFERENCE(
            "sluice_tls_client_preference_total",
            COUNTER,
            "ClientHellos by the kind of cipher that the client puts first; clients without AES in hardware put chacha20 first.",
            "cipher"),
    /** Tickets that clients came with. */
    TLS_TICKETS(
            "sluice_tls_tickets_total",
            COUNTER,
            "Session tickets that clients offered, by what became of them.",
            "result"),
    /** Tickets given. */
    TLS_TICKETS_ISSUED("sluice_tls_tickets_issued_total", COUNTER, "Session tickets sealed for clients."),
    /** Keys by state. */
    TLS_TICKET_KEYS("sluice_tls_ticket_keys", GAUGE, "Session ticket keys that this gateway has, by state.", "state"),
    /** Age of the one that seals. */
    TLS_TICKET_KEY_AGE(
            "sluice_tls_ticket_key_age_seconds", GAUGE, "Time since the session ticket key that seals now took over."),
    /** When the store was reached. */
    TLS_TICKET_SYNC(
            "sluice_tls_ticket_sync_timestamp_seconds",
            GAUGE,
            "When the shared store of session ticket keys was last reached; missing without such a store, or before."),
    /** When it could not be used. */
    TLS_TICKET_STORE_FAILURES(
            "sluice_tls_ticket_store_failures_total",
            COUNTER,
            "How often the store of session ticket keys could not be used."),
    /** Early data. */
    TLS_EARLY_DATA(
            "sluice_tls_early_data_total",
            COUNTER,
            "Connections with early data (0-RTT), by what became of it.",
            "result"),
    /** Who has the records. */
    TLS_ENGINE(
            "sluice_tls_engine_total",
            COUNTER,
            "TLS connections, clients' and backends', by who protects their records behind the handshake, and why.",
            "engine",
            "reason"),
    /** Processor time for cryptography. */
    TLS_CRYPTO_CPU(
            "sluice_tls_crypto_cpu_seconds_total",
            COUNTER,
            "Processor time spent on TLS, with clients and backends, by phase; seal and open are estimated from samples.",
            "phase"),
    /** When certificates end. */
    TLS_CERTIFICATE_NOT_AFTER(
            "sluice_tls_certificate_not_after_timestamp_seconds",
            GAUGE,
            "The last moment of a certificate's validity.",
            "name",
            "key_type"),
    /** Certificates' files that cannot be used. */
    TLS_CERTIFICATE_FILES_UNUSABLE(
            "sluice_tls_certificate_files_unusable",
            GAUGE,
            "Certificates whose files cannot be used, by entry of the configuration and by whether the previous one is"
                    + " kept.",
            "name",
            "consequence"),
    /** When staples end. */
    TLS_OCSP_NEXT_UPDATE(
            "sluice_tls_ocsp_next_update_timestamp_seconds",
            GAUGE,
            "Until when the OCSP response is stapled that a certificate has; missing where there is none.",
            "name",
            "key_type"),
    /** How long staples hold in all. */
    TLS_OCSP_LIFETIME(
            "sluice_tls_ocsp_lifetime_seconds",
            GAUGE,
            "How long the OCSP response that is stapled holds in all, from thisUpdate to nextUpdate.",
            "name",
            "key_type"),
    /** Why there is no other staple. */
    TLS_OCSP_FAILURE(
            "sluice_tls_ocsp_failure",
            GAUGE,
            "1 while the last attempt to get a certificate's OCSP response has failed, by why; missing where none has.",
            "name",
            "key_type",
            "cause"),
    /** Certificates that are to have staples. */
    TLS_OCSP_CERTIFICATES(
            "sluice_tls_ocsp_certificates",
            GAUGE,
            "Certificates that are to have an OCSP response, by whether they have one.",
            "state"),
    /** Asking responders. */
    TLS_OCSP_REQUESTS(
            "sluice_tls_ocsp_requests_total",
            COUNTER,
            "Attempts to get an OCSP response from a responder, by result.",
            "result"),

    // --- admission
    /** Handshakes let begin or not. */
    ADMISSION_HANDSHAKES(
            "sluice_admission_handshakes_total",
            COUNTER,
            "Clients that asked for a TLS handshake, by whether it was let begin.",
            "result"),
    /** Who had to wait. */
    ADMISSION_QUEUED(
            "sluice_admission_queued_total", COUNTER, "Clients that had to wait for their TLS handshake to begin."),
    /** Let go first, and wrongly so. */
    ADMISSION_TICKETS_REFUSED(
            "sluice_admission_tickets_refused_total",
            COUNTER,
            "TLS handshakes that were full although the client had offered a ticket with a key of ours."),
    /** In flight. */
    ADMISSION_IN_FLIGHT(
            "sluice_admission_handshakes_in_flight", GAUGE, "TLS handshakes with clients that are under way now."),
    /** The limit on connections. */
    ADMISSION_CONNECTIONS_MAX(
            "sluice_admission_connections_max", GAUGE, "Client connections that may be open at once."),

    // --- backends
    /** Whether a server is used. */
    BACKEND_UP(
            "sluice_backend_up",
            GAUGE,
            "Whether a server takes connections: 0 when health checks found it down or it was ejected.",
            "backend",
            "server"),
    /** Connections made. */
    BACKEND_CONNECTS(
            "sluice_backend_connects_total", COUNTER, "Connections to a server that were made.", "backend", "server"),
    /** Connections not made. */
    BACKEND_CONNECT_FAILURES(
            "sluice_backend_connect_failures_total",
            COUNTER,
            "Attempts to connect to a server that failed.",
            "backend",
            "server"),
    /** Passed over. */
    BACKEND_EJECTIONS(
            "sluice_backend_ejections_total",
            COUNTER,
            "How often a server was passed over for a while, since it took no connections.",
            "backend",
            "server"),
    /** TLS with servers. */
    BACKEND_HANDSHAKES(
            "sluice_backend_handshakes_total",
            COUNTER,
            "TLS handshakes with a server that were completed, those of health checks included.",
            "backend",
            "server",
            "kind"),
    /** Checks begun. */
    BACKEND_HEALTH_CHECKS(
            "sluice_backend_health_checks_total", COUNTER, "Health checks of a server begun.", "backend", "server"),
    /** Checks failed. */
    BACKEND_HEALTH_CHECK_FAILURES(
            "sluice_backend_health_check_failures_total",
            COUNTER,
            "Health checks of a server that failed.",
            "backend",
            "server"),

    // --- event loops
    /** Turns. */
    LOOP_TURNS("sluice_loop_turns_total", COUNTER, "Rounds of waiting and dispatching of an event loop.", "loop"),
    /** System calls. */
    LOOP_SYSTEM_CALLS(
            "sluice_loop_system_calls_total",
            COUNTER,
            "System calls of an event loop that wait for or move data.",
            "loop"),
    /** Events. */
    LOOP_EVENTS(
            "sluice_loop_events_total",
            COUNTER,
            "Completions (io_uring) or operations done (epoll) that an event loop has dispatched.",
            "loop"),
    /** Processor time. */
    LOOP_CPU("sluice_loop_cpu_seconds_total", COUNTER, "Processor time of an event loop's thread.", "loop"),
    /** How busy. */
    LOOP_BUSY_RATIO(
            "sluice_loop_busy_ratio",
            GAUGE,
            "The part of the last seconds in which an event loop's thread was on a processor, from 0 to 1.",
            "loop"),
    /** Sockets. */
    LOOP_CONNECTIONS("sluice_loop_connections", GAUGE, "Connections of an event loop, clients' and backends'.", "loop"),
    /** Bytes on the wire. */
    LOOP_BYTES(
            "sluice_loop_bytes_total",
            COUNTER,
            "Bytes that an event loop received and sent, clients' and backends'.",
            "loop",
            "direction"),
    /** Bytes copied. */
    LOOP_BYTES_COPIED(
            "sluice_loop_copied_bytes_total",
            COUNTER,
            "Bytes copied in user space on their way, other than by a cipher or the TLS library.",
            "loop"),
    /** Buffers in use. */
    LOOP_BUFFERS_LEASED(
            "sluice_loop_buffers_leased",
            GAUGE,
            "Buffers of an event loop that are in use now, those that the kernel has for receives included.",
            "loop"),
    /** Buffers short. */
    LOOP_BUFFER_SHORTAGES(
            "sluice_loop_buffer_shortages_total",
            COUNTER,
            "How often something had to wait because all buffers of an event loop were leased.",
            "loop"),
    /** Accepts failed. */
    LOOP_ACCEPT_FAILURES(
            "sluice_loop_accept_failures_total", COUNTER, "Connections that an event loop could not accept.", "loop"),
    /** Errors of our own. */
    LOOP_UNCAUGHT(
            "sluice_loop_uncaught_total", COUNTER, "What code on an event loop threw: errors in the gateway.", "loop"),

    // --- memory
    /** Native bytes. */
    MEMORY_BYTES("sluice_memory_bytes", GAUGE, "Native memory that is accounted for, by owner.", "owner"),
    /** Native handles. */
    MEMORY_HANDLES("sluice_memory_handles", GAUGE, "Native regions and handles that are held, by owner.", "owner"),

    // --- configuration and life
    /** Reloads. */
    CONFIG_RELOADS("sluice_config_reload_total", COUNTER, "Reloads of the configuration or of certificates.", "result"),
    /** The last one. */
    CONFIG_RELOAD_SUCCESSFUL(
            "sluice_config_reload_successful",
            GAUGE,
            "Whether the last reload took effect: 0 when it was refused, and what was served before goes on."),
    /** When it was. */
    CONFIG_RELOAD_TIMESTAMP(
            "sluice_config_reload_success_timestamp_seconds",
            GAUGE,
            "When the configuration took effect that is served now."),
    /** Alerts. */
    ALERT_FIRING("sluice_alert_firing", GAUGE, "Whether an alert fires that the gateway watches for.", "alert"),
    /** Lost lines of the access log. */
    ACCESS_LOG_DROPPED(
            "sluice_access_log_dropped_total",
            COUNTER,
            "Lines that the access log lost, since its ring was full or its file could not be written."),
    /** Draining. */
    DRAINING("sluice_draining", GAUGE, "Whether the gateway has begun to drain, and accepts no more connections."),
    /** The program. */
    BUILD("sluice_build_info", INFO, "The version of this gateway.", "version"),
    /** The library. */
    OPENSSL("sluice_openssl_info", INFO, "The OpenSSL library in use.", "version", "library"),
    /** The transport. */
    TRANSPORT("sluice_transport_info", INFO, "What event loops run on, and why.", "transport", "reason"),

    // --- process and JVM, under the names that everybody uses
    /** Processor time of all threads. */
    PROCESS_CPU("process_cpu_seconds_total", COUNTER, "Total user and system CPU time spent in seconds."),
    /** Resident memory. */
    PROCESS_RESIDENT("process_resident_memory_bytes", GAUGE, "Resident memory size in bytes."),
    /** Descriptors. */
    PROCESS_OPEN_FDS("process_open_fds", GAUGE, "Number of open file descriptors."),
    /** Their limit. */
    PROCESS_MAX_FDS("process_max_fds", GAUGE, "Maximum number of open file descriptors."),
    /** Start. */
    PROCESS_START("process_start_time_seconds", GAUGE, "Start time of the process since unix epoch in seconds."),
    /** Heap and the rest, used. */
    JVM_MEMORY_USED("jvm_memory_used_bytes", GAUGE, "Used bytes of a given JVM memory area.", "area"),
    /** Heap and the rest, taken from the system. */
    JVM_MEMORY_COMMITTED("jvm_memory_committed_bytes", GAUGE, "Committed bytes of a given JVM memory area.", "area"),
    /** Heap and the rest, at most. */
    JVM_MEMORY_MAX("jvm_memory_max_bytes", GAUGE, "Max bytes of a given JVM memory area.", "area"),
    /** Collections. */
    JVM_GC_COLLECTIONS("jvm_gc_collections_total", COUNTER, "Collections of a given garbage collector.", "gc"),
    /** Their time. */
    JVM_GC_TIME("jvm_gc_collection_seconds_total", COUNTER, "Time spent in a given garbage collector.", "gc"),
    /** Threads. */
    JVM_THREADS("jvm_threads_current", GAUGE, "Current platform thread count of the JVM."),
    /** Which JVM. */
    JVM("jvm_info", INFO, "VM version info.", "version", "vendor", "runtime");

    private final String family;
    private final MetricType type;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> labels;

    Metric(String family, MetricType type, String help, String... labels) {
        this.family = family;
        this.type = type;
        this.help = help;
        this.labels = List.of(labels);
    }

    /** The name on the page. */
    public String family() {
        return family;
    }

    /** What is counted, and how. */
    public MetricType type() {
        return type;
    }

    /** One sentence for people. */
    public String help() {
        return help;
    }

    /** The names of its labels. */
    public List<String> labels() {
        return labels;
    }
}
