package dev.sluice.gateway.control;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.gateway.acme.AcmeStatus;
import dev.sluice.gateway.certificate.CertificateReport;
import dev.sluice.gateway.control.AdminSocket.CommandException;
import dev.sluice.gateway.reload.ReloadRequest;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The admin-socket commands {@code reload}, {@code certificates} and {@code certificates json}. */
public final class ConfigurationCommands implements AdminSocket.Commands {
    private final Supplier<GatewayConfig> config;
    private final Supplier<List<AcmeStatus>> acme;
    private final Supplier<@Nullable ReloadRequest> reload;

    /**
     * Creates the commands.
     *
     * @param config what is served now
     * @param acme the certificates that are ordered by ACME
     * @param reload reads the configuration again; null: there is none that could be read
     */
    public ConfigurationCommands(
            Supplier<GatewayConfig> config, Supplier<List<AcmeStatus>> acme, Supplier<@Nullable ReloadRequest> reload) {
        this.config = config;
        this.acme = acme;
        this.reload = reload;
    }

    @Override
    public String answer(String line) throws CommandException {
        return switch (line) {
            case "reload" -> reload();
            case "certificates" -> CertificateReport.table(config.get(), acme.get(), Instant.now());
            case "certificates json" -> CertificateReport.json(config.get(), acme.get(), Instant.now());
            default ->
                throw new CommandException(
                        "\"" + line + "\" is no command; there are reload, certificates and certificates json");
        };
    }

    private String reload() throws CommandException {
        ReloadRequest request = reload.get();
        if (request == null) {
            throw new CommandException("this gateway was not started with a configuration file");
        }
        try {
            return request.reload();
        } catch (ReloadRequest.RefusedException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        }
    }
}
