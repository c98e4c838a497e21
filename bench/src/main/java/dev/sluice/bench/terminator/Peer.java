package dev.sluice.bench.terminator;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The possible participants, by the names of the option {@code --peers}. */
public enum Peer {
    /** Our gateway on epoll. */
    SLUICE_EPOLL,
    /** Our gateway on io_uring. */
    SLUICE_IO_URING,
    /** Our gateway on io_uring, with all handshakes in libssl. */
    SLUICE_LIBSSL,
    /** Our gateway on io_uring, ready after its warm-up. */
    SLUICE_WARM,
    /** Our gateway on io_uring as plain relay: its floor. */
    SLUICE_PLAIN,
    /** nginx, stream module. */
    NGINX,
    /** HAProxy, mode tcp. */
    HAPROXY,
    /** hitch. */
    HITCH,
    /** Envoy. */
    ENVOY,
    /** nginx as plain relay: the floor. */
    NGINX_PLAIN;

    /** The variants of our gateway, which take part only where they are named. */
    private static final Set<Peer> VARIANTS = EnumSet.of(SLUICE_LIBSSL, SLUICE_WARM, SLUICE_PLAIN);

    /** Returns the usual participants. */
    public static List<Peer> usual() {
        return Stream.of(values()).filter(peer -> !VARIANTS.contains(peer)).toList();
    }

    /** Returns the name in the option. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Terminator terminator() {
        return switch (this) {
            case SLUICE_EPOLL -> SluiceTerminator.onEpoll();
            case SLUICE_IO_URING -> SluiceTerminator.onIoUring();
            case SLUICE_LIBSSL -> SluiceTerminator.inLibssl();
            case SLUICE_WARM -> SluiceTerminator.warmedUp();
            case SLUICE_PLAIN -> SluiceTerminator.relaying();
            case NGINX -> NginxTerminator.terminating();
            case HAPROXY -> HaproxyTerminator.terminating();
            case HITCH -> HitchTerminator.terminating();
            case ENVOY -> EnvoyTerminator.terminating();
            case NGINX_PLAIN -> NginxTerminator.relaying();
        };
    }
}
