/** The {@code sluice} command. */
module dev.sluice.cli {
    requires dev.sluice.config;
    requires dev.sluice.cost;
    requires dev.sluice.doctor;
    requires dev.sluice.gateway;
    requires dev.sluice.transfer;
    requires info.picocli;
    requires java.instrument;
    requires java.net.http;
    requires jdk.attach;
    requires jdk.jfr;
    requires jdk.unsupported;
    requires static transitive org.jspecify;

    opens dev.sluice.cli to
            info.picocli;
    opens dev.sluice.cli.allocations to
            info.picocli;
    opens dev.sluice.cli.admin to
            info.picocli;
    opens dev.sluice.cli.command to
            info.picocli;
    opens dev.sluice.cli.cost to
            info.picocli;
    opens dev.sluice.cli.doctor to
            info.picocli;
    opens dev.sluice.cli.gateway to
            info.picocli;
    opens dev.sluice.cli.top to
            info.picocli;
    opens dev.sluice.cli.transfer to
            info.picocli;
}
