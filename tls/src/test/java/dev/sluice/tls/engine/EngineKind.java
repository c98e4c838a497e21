package dev.sluice.tls.engine;

import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.context.TlsContext;
import org.jspecify.annotations.Nullable;

/** The engines that the conformance suite tests. */
public enum EngineKind {
    MEMORY {
        @Override
        EngineTransport serverTransport(SharedContext context) {
            return new MemoryTransport(MemoryEngine.server(context));
        }

        @Override
        EngineTransport clientTransport(TlsContext context, String host, @Nullable TlsSession session) {
            return new MemoryTransport(
                    session == null ? MemoryEngine.client(context, host) : MemoryEngine.client(context, host, session));
        }
    },
    DESCRIPTOR {
        @Override
        EngineTransport serverTransport(SharedContext context) {
            return new DescriptorTransport(descriptor -> DescriptorEngine.server(context, descriptor));
        }

        @Override
        EngineTransport clientTransport(TlsContext context, String host, @Nullable TlsSession session) {
            return new DescriptorTransport(descriptor -> session == null
                    ? DescriptorEngine.client(context, host, descriptor)
                    : DescriptorEngine.client(context, host, session, descriptor));
        }
    },
    /** Servers, with clients on libssl. */
    DIRECT {
        @Override
        EngineTransport serverTransport(SharedContext context) {
            return DirectTransport.server(context);
        }

        @Override
        EngineTransport clientTransport(TlsContext context, String host, @Nullable TlsSession session) {
            return MEMORY.clientTransport(context, host, session);
        }
    },
    /** Clients, with servers on libssl. */
    DIRECT_CLIENT {
        @Override
        EngineTransport serverTransport(SharedContext context) {
            return MEMORY.serverTransport(context);
        }

        @Override
        EngineTransport clientTransport(TlsContext context, String host, @Nullable TlsSession session) {
            return DirectTransport.client(context, host, session);
        }
    };

    abstract EngineTransport serverTransport(SharedContext context);

    abstract EngineTransport clientTransport(TlsContext context, String host, @Nullable TlsSession session);

    public OurPeer server(SharedContext context) {
        return new OurPeer(serverTransport(context));
    }

    public OurPeer client(TlsContext context, String host) {
        return new OurPeer(clientTransport(context, host, null));
    }

    public OurPeer client(TlsContext context, String host, TlsSession session) {
        return new OurPeer(clientTransport(context, host, session));
    }
}
