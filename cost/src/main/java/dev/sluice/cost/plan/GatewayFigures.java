package dev.sluice.cost.plan;

import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.Figure;
import dev.sluice.cost.measure.KeyKind;
import dev.sluice.cost.measure.MeasuredHandshake;
import dev.sluice.tls.context.ProtocolVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The total costs of a connection at a gateway: {@code gateway/tls13/ecdsa-p256/full} and others, computed from the
 * handshake in memory and the base costs. For readers of the file without a model, such as {@code sluice check
 * --costs}.
 */
public final class GatewayFigures {
    private GatewayFigures() {}

    /** Returns a profile with these figures appended. */
    public static CostProfile addedTo(CostProfile profile) {
        BaseCosts base = BaseCosts.of(profile);
        List<Figure> figures = new ArrayList<>(profile.figures());
        for (KeyKind key : KeyKind.values()) {
            for (ProtocolVersion version : ProtocolVersion.values()) {
                for (boolean resumed : List.of(false, true)) {
                    MeasuredHandshake kind = MeasuredHandshake.usual(version, key, resumed);
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

    private static Figure connection(MeasuredHandshake kind, Figure server, BaseCosts base) {
        String name = kind.path().replaceFirst("^handshake/", "gateway/");
        return new Figure(
                name,
                Figure.Unit.MICROSECONDS,
                server.estimate().times(base.handshakeFactor()).plus(base.connectionMicros()));
    }
}
