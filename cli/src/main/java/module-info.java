/** The {@code sluice} command. */
module dev.sluice.cli {
    requires dev.sluice.bench;
    requires dev.sluice.cost;
    requires dev.sluice.gateway;
    requires info.picocli;
    requires java.net.http;
    requires jdk.unsupported;
    requires org.snakeyaml.engine;
    requires static transitive org.jspecify;

    opens dev.sluice.cli to
            info.picocli;
}
