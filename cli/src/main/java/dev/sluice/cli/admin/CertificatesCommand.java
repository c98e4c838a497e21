package dev.sluice.cli.admin;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Asks a running gateway for its certificates. */
@Command(
        name = "certificates",
        description =
                "Shows the certificates and revocation lists that a running gateway has, and when they end, by its"
                        + " admin socket (admin: unix:/path in its configuration).",
        footer = {"", "Exit code: 0 when it was done, 2 when it was refused."})
public final class CertificatesCommand extends AdminVerb {
    @Option(names = "--json", description = "In one line of JSON.")
    private boolean json;

    @Override
    String line() {
        return json ? "certificates json" : "certificates";
    }
}
