package dev.sluice.cost.measure;

import dev.sluice.cost.figures.Figure.Unit;
import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.PublicKeyOperation;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The first phase: signatures and key exchange, one operation each, as {@code openssl speed} measures them. */
final class AsymmetricProbes {
    /** The group of hybrid, post-quantum key exchange. */
    static final String POST_QUANTUM = "X25519MLKEM768";

    private final CpuClock clock;
    private final List<Probe> probes = new ArrayList<>();

    private AsymmetricProbes(CpuClock clock) {
        this.clock = clock;
    }

    static List<Probe> all(CpuClock clock) {
        AsymmetricProbes made = new AsymmetricProbes(clock);
        for (KeyKind kind : KeyKind.values()) {
            made.addSignatures(kind);
        }
        made.addKeyExchange("x25519", "X25519", "", () -> EvpPkey.generate("X25519"));
        made.addKeyExchange("p256", "EC", "P-256", () -> EvpPkey.generateElliptic("P-256"));
        if (OpenSsl.require().supportsGroup(POST_QUANTUM)) {
            made.addEncapsulation();
        }
        return made.probes;
    }

    private void addSignatures(KeyKind kind) {
        EvpPkey key = kind.generate();
        boolean message = kind == KeyKind.ED25519;
        add(kind.path() + "/sign", message ? PublicKeyOperation.signMessage(key) : PublicKeyOperation.sign(key), null);
        PublicKeyOperation verify = message ? PublicKeyOperation.verifyMessage(key) : PublicKeyOperation.verify(key);
        add(kind.path() + "/verify", verify, key);
    }

    private void addKeyExchange(String path, String algorithm, String group, Supplier<EvpPkey> generator) {
        add(path + "/keygen", PublicKeyOperation.generate(algorithm, group), null);
        EvpPkey ours = generator.get();
        try (EvpPkey theirs = generator.get()) {
            add(path + "/derive", PublicKeyOperation.derive(ours, theirs), ours);
        }
    }

    private void addEncapsulation() {
        String path = "x25519mlkem768";
        EvpPkey key = EvpPkey.generate(POST_QUANTUM);
        add(path + "/keygen", PublicKeyOperation.generate(POST_QUANTUM, ""), null);
        add(path + "/encapsulate", PublicKeyOperation.encapsulate(key), null);
        add(path + "/decapsulate", PublicKeyOperation.decapsulate(key), key);
    }

    /**
     * Adds a probe of one operation.
     *
     * @param key closed with the probe; null if another probe closes it
     */
    private void add(String path, PublicKeyOperation operation, @Nullable EvpPkey key) {
        OperationProbe.Operation repeated = OperationProbe.Operation.of(operation::run, () -> {
            operation.close();
            if (key != null) {
                key.close();
            }
        });
        probes.add(new OperationProbe("asymmetric/" + path, Unit.MICROSECONDS, repeated, clock));
    }
}
