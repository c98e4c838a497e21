package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.SecondsOrOff;
import dev.sluice.config.key.KeyType.Text;
import dev.sluice.config.key.KeyType.Whole;
import dev.sluice.config.model.EchConfig;
import java.time.Duration;
import java.util.List;

/** The keys of a listener's {@code ech}. */
public final class EchKeys {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration YEAR = Duration.ofDays(366);

    public static final Key PUBLIC_NAME = Key.required(
            "public-name",
            new Text("a host name"),
            "gateway.example.com",
            "Name that clients send in the clear. A certificate of the listener must cover it.");
    public static final Key DIRECTORY = Key.required(
            "directory",
            new Text("a directory"),
            "ech",
            "Directory of the key files, which the gateway reads every ten seconds, and writes if it rotates them.");
    public static final ValueKey<Double> ROTATE = Key.of(
            "rotate",
            new SecondsOrOff(MINUTE, YEAR),
            (double) EchConfig.DEFAULT_ROTATE.toSeconds(),
            "Age at which the gateway replaces its newest key; `off`: others put the files into the directory.");
    public static final ValueKey<Integer> KEEP = Key.of(
            "keep",
            new Whole(1, EchConfig.KEEP_MAX),
            EchConfig.DEFAULT_KEEP,
            "Number of keys that open hellos; the newest is published. Rotation deletes files beyond it.");

    public static final SectionKeys SECTION = new SectionKeys(
            "ech",
            "listeners[].ech",
            "Encrypted ClientHello of a listener",
            "See [Encrypted ClientHello](guide/encrypted-client-hello.md).",
            List.of(PUBLIC_NAME, DIRECTORY, ROTATE, KEEP));

    private EchKeys() {}
}
