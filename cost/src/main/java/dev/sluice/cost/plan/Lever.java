package dev.sluice.cost.plan;

import dev.sluice.cost.measure.KeyKind;
import dev.sluice.tls.context.ProtocolVersion;
import java.util.Optional;

/** A single configuration change. In the order of the article; the last two increase the cost. */
public enum Lever {
    /** Session resumption, at the usual rate. */
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
    /** TLS 1.3 instead of 1.2. */
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
    /** The loss of resumption, as in an incident. */
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

    /** Returns the key for JSON. */
    public String key() {
        return key;
    }

    /** Returns the text for display. */
    public String text() {
        return text;
    }

    /** Returns the plan with this change; empty when it is in effect already, impossible, or was not measured here. */
    public Optional<Plan> pulled(PlanModel model, Load load) {
        return pull(load)
                .filter(other -> this != POST_QUANTUM || model.knowsPostQuantum())
                .map(model::plan);
    }

    /** Returns the load with this change; empty when it is in effect already, or impossible. */
    abstract Optional<Load> pull(Load load);
}
