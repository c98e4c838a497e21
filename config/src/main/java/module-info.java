/** The gateway's configuration: model, catalogue of keys, readers, lint. */
module dev.sluice.config {
    requires transitive dev.sluice.tls;
    requires static transitive org.jspecify;
    requires transitive org.snakeyaml.engine;
    requires transitive tools.jackson.core;

    exports dev.sluice.config.acme;
    exports dev.sluice.config.certificate;
    exports dev.sluice.config.json;
    exports dev.sluice.config.key;
    exports dev.sluice.config.lint;
    exports dev.sluice.config.log;
    exports dev.sluice.config.model;
    exports dev.sluice.config.monitoring;
    exports dev.sluice.config.read;
    exports dev.sluice.config.yaml;
}
