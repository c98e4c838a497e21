package dev.sluice.doctor;

import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.CostProfileFile;
import dev.sluice.doctor.audit.ServerCosts;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalDouble;

/** The costs measured by {@code sluice cost}: the server's side of a handshake in memory, without sockets. */
public final class MeasuredCosts implements ServerCosts {
    private static final String EDDSA = "EDDSA";

    private final CostProfile profile;
    private final String source;

    private MeasuredCosts(CostProfile profile, String source) {
        this.profile = profile;
        this.source = source;
    }

    /**
     * Reads a measurement.
     *
     * @throws dev.sluice.cost.figures.CostException when the file is missing or is not a measurement
     */
    public static MeasuredCosts read(Path file) {
        return of(CostProfileFile.read(file), file.toString());
    }

    static MeasuredCosts of(CostProfile profile, String file) {
        return new MeasuredCosts(
                profile, "sluice cost on this machine (" + file + "): the TLS library's part, without sockets");
    }

    @Override
    public OptionalDouble micros(boolean tls13, String key, boolean resumed) {
        return profile.find("handshake/" + (tls13 ? "tls13/" : "tls12/") + path(key) + (resumed ? "/resumed" : "/full")
                + "/server");
    }

    /** Returns the path of a key, such as {@code ecdsa-p256} for {@code EC 256}. */
    private static String path(String key) {
        String name = key.toUpperCase(Locale.ROOT);
        if (name.equals(EDDSA)) {
            return "ed25519";
        }
        return name.startsWith("EC ")
                ? "ecdsa-p" + name.substring("EC ".length())
                : name.toLowerCase(Locale.ROOT).replace(' ', '-');
    }

    @Override
    public String source() {
        return source;
    }
}
