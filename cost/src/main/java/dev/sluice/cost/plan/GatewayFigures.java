package dev.sluice.cost.plan;

import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.Figure;
import dev.sluice.cost.measure.HandshakeKind;
import dev.sluice.cost.measure.KeyKind;
import dev.sluice.tls.ProtocolVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a connection takes a gateway here, all included: {@code gateway/tls13/ecdsa-p256/full} and others, out of the handshake in
 * memory and the base costs. For readers of the file that have no model, as {@code sluice check --costs}.
 */
public final class GatewayFigures {
    private GatewayFigures() {}

    /** A profile with them behind its own figures. */
    public static CostProfile addedTo(CostProfile profile) {
        BaseCosts base = BaseCosts.of(profile);
        List<Figure> figures = new ArrayList<>(profile.figures());
        for (KeyKind key : KeyKind.values()) {
            for (ProtocolVersion version : ProtocolVersion.values()) {
                for (boolean resumed : List.of(false, true)) {
                    HandshakeKind kind = HandshakeKind.usual(version, key, resumed);
                    figure(profile, kind.path() + "/server")
                            .ifPresent(server -> figures.add(connection(kind, server, base)));
                }
            }
        }
        return new CostProfile(profile.facts(), figures);
    }

    private static Optional<Figure> figure(CostProfile profile, String name) {
        return profile.under(name).stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst();
    }

    private static Figure connection(HandshakeKind kind, Figure server, BaseCosts base) {
        String name = kind.path().replaceFirst("^handshake/", "gateway/");
        return new Figure(
                name,
                Figure.Unit.MICROSECONDS,
                server.estimate().times(base.handshakeFactor()).plus(base.connectionMicros()));
    }
}
