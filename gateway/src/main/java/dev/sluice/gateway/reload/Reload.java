package dev.sluice.gateway.reload;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.gateway.outcome.GatewayStartException;
import dev.sluice.gateway.restart.InheritedSockets;
import dev.sluice.gateway.session.GatewayLoop;
import dev.sluice.net.ListenException;
import dev.sluice.tls.context.SharedContext;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The activation of a configuration on all loops of a gateway, at the start and by a reload: all of it, or nothing if
 * any part fails.
 */
public final class Reload {
    private final List<GatewayLoop> loops;
    private final GatewayConfig config;
    private final Function<ListenerConfig, @Nullable SharedContext> contextMaker;
    private final InheritedSockets sockets;
    private final List<List<@Nullable SharedContext>> contexts = new ArrayList<>();
    private final List<LoopReload> prepared = new ArrayList<>();
    /** The number of loops that have received their contexts. */
    private int handedOver;

    /**
     * Creates a reload.
     *
     * @param contextMaker makes a TLS context, the caller's, for a listener on one loop; null for one without TLS
     * @param sockets that listen already; new listeners take theirs out of them
     */
    @SuppressWarnings("exports") // for the inside of the gateway
    public Reload(
            List<GatewayLoop> loops,
            GatewayConfig config,
            Function<ListenerConfig, @Nullable SharedContext> contextMaker,
            InheritedSockets sockets) {
        this.loops = loops;
        this.config = config;
        this.contextMaker = contextMaker;
        this.sockets = sockets;
    }

    /**
     * Does it; once. Reads certificates and keys on the calling thread, so that the loops go on meanwhile.
     *
     * @param before the addresses that are listened on already, as they were configured
     * @return where the listeners listen, in the order of the configuration
     * @throws GatewayStartException when an address cannot be listened on
     * @throws dev.sluice.tls.failure.TlsConfigurationException when a certificate has become unusable since it was
     *     checked
     */
    public List<InetSocketAddress> run(Set<InetSocketAddress> before) {
        try {
            for (GatewayLoop _ : loops) {
                contexts.add(contextsOfOneLoop());
            }
            List<InetSocketAddress> addresses = prepare(before);
            for (int i = 0; i < loops.size(); i++) {
                loops.get(i).run(prepared.get(i)::commit);
            }
            return addresses;
        } catch (RuntimeException e) {
            undo();
            throw e;
        }
    }

    private List<@Nullable SharedContext> contextsOfOneLoop() {
        List<@Nullable SharedContext> made = new ArrayList<>();
        try {
            for (ListenerConfig listener : config.listeners()) {
                made.add(contextMaker.apply(listener));
            }
            return made;
        } catch (RuntimeException e) {
            made.forEach(Reload::close);
            throw e;
        }
    }

    private List<InetSocketAddress> prepare(Set<InetSocketAddress> before) {
        requireFree(config, before, sockets);
        List<List<List<Integer>>> inherited = inherited();
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int i = 0; i < loops.size(); i++) {
            GatewayLoop loop = loops.get(i);
            List<@Nullable SharedContext> ofLoop = contexts.get(i);
            handedOver++;
            int number = i;
            List<List<Integer>> own =
                    inherited.stream().map(shares -> shares.get(number)).toList();
            prepared.add(loop.call(() -> new LoopReload(loop, config, ofLoop, addresses, own)));
        }
        return addresses;
    }

    /**
     * Probes the addresses that nobody listens on for this process yet.
     *
     * @param before those that it listens on already
     * @throws GatewayStartException when one cannot be listened on, such as when another gateway runs
     */
    public static void requireFree(GatewayConfig config, Set<InetSocketAddress> before, InheritedSockets sockets) {
        config.listeners().stream()
                .filter(listener -> !before.contains(listener.address()) && !sockets.has(listener))
                .forEach(Reload::requireFree);
    }

    /** Returns, for each listener and each loop, the descriptors that listen already. */
    private List<List<List<Integer>>> inherited() {
        try {
            sockets.requireFit(loops.getFirst().eventLoop().backend());
            return config.listeners().stream()
                    .map(listener -> sockets.take(listener, loops.size()))
                    .toList();
        } catch (ListenException refused) {
            throw new GatewayStartException(String.valueOf(refused.getMessage()), refused);
        }
    }

    private static void requireFree(ListenerConfig listener) {
        try {
            PortProbe.requireFree(listener.address());
        } catch (ListenException refused) {
            throw GatewayStartException.at(listener, refused);
        }
    }

    static void close(@Nullable SharedContext context) {
        if (context != null) {
            context.close();
        }
    }

    private void undo() {
        for (int i = 0; i < prepared.size(); i++) {
            loops.get(i).run(prepared.get(i)::discard);
        }
        contexts.subList(handedOver, contexts.size()).forEach(ofLoop -> ofLoop.forEach(Reload::close));
    }
}
