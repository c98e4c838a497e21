package dev.sluice.bench;

import dev.sluice.bench.certificates.ManyCertificates;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench certificates} command. */
@Command(
        name = "certificates",
        description = {
            "Serves a directory of many certificates, and reports the time to read them and to listen, "
                    + "the memory that they take, the clients' waiting time, and the time of a reload.",
            "Half a minute."
        },
        mixinStandardHelpOptions = true)
final class CertificatesCommand implements Callable<Integer> {
    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Certificates. Default: ${DEFAULT-VALUE}")
    private int count;

    @Option(
            names = "--asked",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Names that clients request, twice each. Default: ${DEFAULT-VALUE}")
    private int asked;

    @Override
    public Integer call() throws Exception {
        new ManyCertificates(count, asked, new PrintStream(System.out, true, StandardCharsets.UTF_8)).run();
        return 0;
    }
}
