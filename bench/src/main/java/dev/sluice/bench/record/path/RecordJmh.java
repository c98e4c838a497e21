package dev.sluice.bench.record.path;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What JMH measures: one record of one path. The methods are named as the harness names the operations. */
public class RecordJmh {
    /** Made by JMH. */
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

        /** Made by JMH. */
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

    /** A connection that a batch of records was sealed for. */
    @State(Scope.Thread)
    public static class Sealed extends Connection {
        /** Made by JMH. */
        public Sealed() {}

        /** Seals a batch, outside of the time that is measured. A record can be opened only once. */
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
