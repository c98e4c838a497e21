package dev.sluice.cost.plan;

import dev.sluice.cost.measure.KeyKind;
import dev.sluice.tls.ProtocolVersion;
import java.util.Optional;

/** One change of configuration, all else as it is. In the order in which the article pulls them; the last two cost. */
public enum Lever {
    /** Session resumption, at the rate that is usual where it works. */
    RESUMPTION("resumption", "session resumption, 9 in 10 resume") {
        @Override
        Optional<Load> pull(Load load) {
            return load.resumption() >= USUAL_RESUMPTION
                    ? Optional.empty()
                    : Optional.of(load.withResumption(USUAL_RESUMPTION));
        }
    },
    /** A certificate with an ECDSA key. */
    ECDSA("ecdsa", "an ECDSA P-256 certificate") {
        @Override
        Optional<Load> pull(Load load) {
            return load.settings().key() == KeyKind.ECDSA_P256
                    ? Optional.empty()
                    : Optional.of(load.with(load.settings().withKey(KeyKind.ECDSA_P256)));
        }
    },
    /** TLS 1.3 in place of 1.2. */
    TLS_1_3("tls13", "TLS 1.3") {
        @Override
        Optional<Load> pull(Load load) {
            return load.settings().version() == ProtocolVersion.TLS_1_3
                    ? Optional.empty()
                    : Optional.of(load.with(load.settings().withVersion(ProtocolVersion.TLS_1_3)));
        }
    },
    /** Full records. */
    BIGGER_RECORDS("bigger-records", "records of 16 KiB") {
        @Override
        Optional<Load> pull(Load load) {
            return load.recordBytes() >= Load.MAX_RECORD_BYTES
                    ? Optional.empty()
                    : Optional.of(load.withRecordBytes(Load.MAX_RECORD_BYTES));
        }
    },
    /** Hybrid key exchange. */
    POST_QUANTUM("post-quantum", "post-quantum key exchange (X25519MLKEM768)") {
        @Override
        Optional<Load> pull(Load load) {
            boolean possible = load.settings().version() == ProtocolVersion.TLS_1_3;
            return load.settings().postQuantum() || !possible
                    ? Optional.empty()
                    : Optional.of(load.with(load.settings().withPostQuantum(true)));
        }
    },
    /** What an incident looks like: nobody resumes. */
    NO_RESUMPTION("no-resumption", "if no client could resume") {
        @Override
        Optional<Load> pull(Load load) {
            return load.resumption() == 0 ? Optional.empty() : Optional.of(load.withResumption(0));
        }
    };

    private static final double USUAL_RESUMPTION = 0.9;

    private final String key;
    private final String text;

    Lever(String key, String text) {
        this.key = key;
        this.text = text;
    }

    /** For JSON. */
    public String key() {
        return key;
    }

    /** For people. */
    public String text() {
        return text;
    }

    /** What the load takes with this changed; empty when it is so already, cannot be, or was not measured here. */
    public Optional<Plan> pulled(PlanModel model, Load load) {
        return pull(load)
                .filter(other -> this != POST_QUANTUM || model.knowsPostQuantum())
                .map(model::plan);
    }

    /** The load with this changed; empty when it is so already, or cannot be. */
    abstract Optional<Load> pull(Load load);
}
