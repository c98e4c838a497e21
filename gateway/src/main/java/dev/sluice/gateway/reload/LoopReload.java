package dev.sluice.gateway.reload;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.gateway.outcome.GatewayStartException;
import dev.sluice.gateway.session.GatewayLoop;
import dev.sluice.gateway.session.ListeningSocket;
import dev.sluice.net.ListenException;
import dev.sluice.tls.context.SharedContext;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reload on one loop, in two steps: what can fail is done when it is made, and changes nothing for clients;
 * {@link #commit} cannot fail. Confined to the loop's thread.
 */
public final class LoopReload {
    private record Change(
            ListeningSocket socket,
            ListenerConfig config,
            @Nullable SharedContext context) {}

    private final GatewayLoop loop;
    private final GatewayConfig config;
    private final List<ListeningSocket> sockets = new ArrayList<>();
    private final List<ListeningSocket> opened = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<ListeningSocket> left;
    /** Contexts that no socket has. */
    private final List<@Nullable SharedContext> spare;

    /**
     * Opens the sockets that are new, which serve at once.
     *
     * @param contexts for each listener one, null without TLS; this object's from now on, even if this throws
     * @param addresses where each listener listens, as far as the loops before have found out; this one adds the rest
     * @param inherited for each listener sockets of this loop that listen already; none, or for new listeners only
     * @throws GatewayStartException when an address cannot be listened on; nothing is open then that was not before
     */
    @SuppressWarnings("exports") // for the inside of the gateway
    public LoopReload(
            GatewayLoop loop,
            GatewayConfig config,
            List<@Nullable SharedContext> contexts,
            List<InetSocketAddress> addresses,
            List<List<Integer>> inherited) {
        this.loop = loop;
        this.config = config;
        this.left = new ArrayList<>(loop.listeners());
        this.spare = new ArrayList<>(contexts);
        try {
            for (int i = 0; i < contexts.size(); i++) {
                ListenerConfig listener = config.listeners().get(i);
                InetSocketAddress address = i < addresses.size() ? addresses.get(i) : listener.address();
                ListeningSocket socket = socketFor(listener, address, contexts.get(i), inherited.get(i));
                sockets.add(socket);
                if (i == addresses.size()) {
                    addresses.add(socket.address());
                }
            }
        } catch (RuntimeException e) {
            discard();
            throw e;
        }
    }

    private ListeningSocket socketFor(
            ListenerConfig listener,
            InetSocketAddress address,
            @Nullable SharedContext context,
            List<Integer> inherited) {
        for (ListeningSocket socket : left) {
            if (socket.configured().equals(listener.address())) {
                left.remove(socket);
                changes.add(new Change(socket, listener, context));
                return socket;
            }
        }
        ListeningSocket socket = open(listener, address, context, inherited);
        opened.add(socket);
        spare.remove(context);
        return socket;
    }

    private ListeningSocket open(
            ListenerConfig listener,
            InetSocketAddress address,
            @Nullable SharedContext context,
            List<Integer> inherited) {
        try {
            return inherited.isEmpty()
                    ? new ListeningSocket(loop, listener, address, context)
                    : new ListeningSocket(loop, listener, inherited, context);
        } catch (ListenException refused) {
            throw GatewayStartException.at(listener, refused);
        }
    }

    /** Another loop could not: what was opened is closed. */
    void discard() {
        opened.forEach(ListeningSocket::retire);
        spare.forEach(Reload::close);
    }

    /** Serves new connections by the new configuration from now on. */
    public void commit() {
        changes.forEach(change -> change.socket().serve(change.config(), change.context()));
        left.forEach(ListeningSocket::retire);
        loop.serves(sockets, config);
    }
}
