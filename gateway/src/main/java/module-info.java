/** The TLS-terminating gateway. */
module dev.sluice.gateway {
    requires transitive dev.sluice.config;
    requires transitive dev.sluice.net;
    requires static transitive org.jspecify;
    requires java.management;
    requires java.net.http;
    // Resolved, so that a recording can be started at any time; nothing of it is loaded before, see Flight.
    requires jdk.jfr;
    // Only for OCSP: on the class path at run time, see BouncyCastle.
    requires static org.bouncycastle.pkix;
    requires static org.bouncycastle.provider;
    requires static org.bouncycastle.util;
    // Only for ACME: likewise, see Acme4j.
    requires static org.shredzone.acme4j;
    // Only for names of servers: likewise, see Dnsjava.
    requires static org.dnsjava;
    // Only for scrapes: likewise, see MetricText.
    requires static io.prometheus.metrics.model;
    requires static io.prometheus.writer.text;
    // Only for a fleet: it lies on the class path at run time, see RedisClient.
    requires static redis.clients.jedis;

    exports dev.sluice.gateway;
    exports dev.sluice.gateway.acme;
    exports dev.sluice.gateway.alerts;
    exports dev.sluice.gateway.backend;
    exports dev.sluice.gateway.certificate;
    exports dev.sluice.gateway.challenge;
    exports dev.sluice.gateway.dns;
    exports dev.sluice.gateway.ech;
    exports dev.sluice.gateway.log;
    exports dev.sluice.gateway.metrics;
    exports dev.sluice.gateway.ocsp;
    exports dev.sluice.gateway.outcome;
    exports dev.sluice.gateway.proxyprotocol;
    exports dev.sluice.gateway.reload;
    exports dev.sluice.gateway.restart;
}
