package dev.sluice.bench.record.path;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The JMH benchmark: one record of one path. Its methods have the names of the harness's operations. */
public class RecordJmh {
    /** Creates the benchmark; called by JMH. */
    public RecordJmh() {}

    /** A connection. */
    @State(Scope.Thread)
    public static class Connection {
        /** A {@link PathKind}. */
        @Param("CHANNEL")
        public String kind = "";

        /** The IANA name of the suite. */
        @Param("TLS_AES_128_GCM_SHA256")
        public String suite = "";

        /** Payload of each record. */
        @Param("1024")
        public int bytes;

        /** PEM. */
        @Param("")
        public String certificate = "";

        /** PEM. */
        @Param("")
        public String key = "";

        @SuppressWarnings("NullAway.Init")
        RecordPath path;

        /** Creates the state; called by JMH. */
        public Connection() {}

        /** Connects. */
        @Setup
        public void open() {
            Credentials credentials = new Credentials(java.nio.file.Path.of(certificate), java.nio.file.Path.of(key));
            path = PathKind.valueOf(kind).open(suite, bytes, credentials);
        }

        /** Disconnects. */
        @TearDown
        public void close() {
            path.close();
        }
    }

    /** A connection with a sealed batch of records. */
    @State(Scope.Thread)
    public static class Sealed extends Connection {
        /** Creates the state; called by JMH. */
        public Sealed() {}

        /** Seals a batch outside the measured time. A record can be opened only once. */
        @Setup(Level.Invocation)
        public void seal() {
            path.sealBatch();
        }
    }

    /** Seals a record. */
    @Benchmark
    public int seal(Connection connection) {
        return connection.path.seal();
    }

    /** Opens a batch of records. */
    @Benchmark
    @OperationsPerInvocation(RecordPath.BATCH)
    public int open(Sealed connection) {
        return connection.path.openBatch();
    }

    /** Seals a record and opens it. */
    @Benchmark
    public int both(Connection connection) {
        return connection.path.sealAndOpen();
    }
}
