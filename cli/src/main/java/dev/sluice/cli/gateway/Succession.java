package dev.sluice.cli.gateway;

import dev.sluice.cli.command.RefusedException;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.log.GatewayLog;
import dev.sluice.gateway.outcome.GatewayStartException;
import dev.sluice.gateway.restart.InheritedSockets;
import dev.sluice.gateway.restart.Takeover;
import dev.sluice.net.ListenException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The inherited listening sockets of a gateway: from a service manager, or from the gateway that it replaces. */
final class Succession implements AutoCloseable {
    private final InheritedSockets sockets;
    private final @Nullable Takeover takeover;
    private final GatewayLog log;

    private Succession(InheritedSockets sockets, @Nullable Takeover takeover, GatewayLog log) {
        this.sockets = sockets;
        this.takeover = takeover;
        this.log = log;
    }

    /** Returns no sockets: the gateway opens its own. */
    static Succession none(GatewayLog log) {
        return new Succession(InheritedSockets.none(), null, log);
    }

    /**
     * Returns the inherited sockets.
     *
     * @param replace true to replace a running gateway
     * @return the caller closes it
     * @throws RefusedException when the replacement is impossible
     */
    static Succession of(GatewayConfig config, boolean replace, GatewayLog log) {
        if (replace) {
            return replacing(required(config.admin().socket()), log);
        }
        if (System.getenv("LISTEN_FDS") == null) {
            return none(log);
        }
        try {
            return new Succession(InheritedSockets.ofServiceManager(System.getenv()), null, log);
        } catch (ListenException bad) {
            throw new RefusedException(String.valueOf(bad.getMessage()));
        }
    }

    /**
     * Returns whether a gateway runs that can be replaced, and so serves while this process prepares.
     *
     * @throws RefusedException when the replacement is impossible
     */
    static boolean hasPredecessor(GatewayConfig config) {
        try {
            return Takeover.isPossible(required(config.admin().socket()));
        } catch (IOException e) {
            throw new RefusedException("--replace: " + e.getMessage());
        }
    }

    private static Path required(@Nullable Path admin) {
        if (admin == null) {
            throw new RefusedException(
                    "--replace finds the running gateway by its admin socket, and the configuration names none; add "
                            + "admin: unix:/run/sluice/admin.sock to it, and restart the running one with that");
        }
        return admin;
    }

    private static Succession replacing(Path admin, GatewayLog log) {
        try {
            Takeover takeover = Takeover.begin(admin);
            if (takeover == null) {
                log.info("nothing to replace: nobody listens on " + admin);
                return none(log);
            }
            return new Succession(takeover.sockets(), takeover, log);
        } catch (IOException e) {
            throw new RefusedException("--replace: " + e.getMessage());
        }
    }

    InheritedSockets sockets() {
        return sockets;
    }

    /** Completes the hot restart once the new gateway listens: the old one drains, and unused sockets are closed. */
    void complete(Gateway gateway) {
        if (!sockets.isEmpty()) {
            log.warn("sockets were passed that no listener is configured for, and are closed: " + sockets
                    + "; a listener takes the socket with its address, or with the name in its key socket");
            sockets.close();
        }
        if (takeover == null) {
            return;
        }
        try {
            takeover.complete();
            gateway.lookAgain();
            log.info("the replaced gateway drains");
        } catch (IOException e) {
            throw new GatewayStartException("--replace: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        sockets.close();
        try {
            if (takeover != null) {
                takeover.close();
            }
        } catch (IOException gone) {
            // The other side has closed it too.
        }
    }
}
