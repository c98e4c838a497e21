package dev.sluice.cli.admin;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command that shows the certificates of a running gateway. */
@Command(
        name = "certificates",
        description =
                "Shows the certificates and revocation lists of a running gateway with their expiry, over its admin "
                        + "socket (admin: unix:/path in its configuration).",
        footer = {"", "Exit code: 0 on success, 2 when refused."})
public final class CertificatesCommand extends AdminVerb {
    @Option(names = "--json", description = "Print one line of JSON.")
    private boolean json;

    @Override
    String line() {
        return json ? "certificates json" : "certificates";
    }
}
