package dev.sluice.bench.record;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.Site;
import dev.sluice.tls.record.CipherSuite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;

/**
 * A row's process with counters of every allocation in libcrypto and libssl.
 *
 * <p>The counters are in a file mapped by the process, so that reporting them allocates nothing.
 *
 * <pre>
 *   0                    8                    16                   24
 *   +--------------------+--------------------+--------------------+
 *   | allocations        | live bytes         | allocated bytes    |
 *   +--------------------+--------------------+--------------------+
 * </pre>
 */
final class CountedProcess implements AutoCloseable {
    private static final int COUNTER_BYTES = 24;

    private final AskedProcess process;
    private final Path counters;

    private CountedProcess(AskedProcess process, Path counters) {
        this.process = process;
        this.counters = counters;
    }

    /**
     * Starts the process.
     *
     * @param library compiled from allocations.c
     * @param starter starts the process with an environment
     */
    static CountedProcess start(Site site, Path library, Function<Map<String, String>, AskedProcess> starter) {
        try {
            Path counters = Files.createTempFile(site.directory(), "allocations", ".counters");
            Files.write(counters, new byte[COUNTER_BYTES]);
            String libcrypto = site.openssl()
                    .map(directory -> directory.resolve("libcrypto.so.3").toString())
                    .orElse("libcrypto.so.3");
            Map<String, String> environment = Map.of(
                    "LD_PRELOAD", library.toString(),
                    "SLUICE_COUNT_LIBRARY", libcrypto,
                    "SLUICE_COUNT_FILE", counters.toString());
            return new CountedProcess(starter.apply(environment), counters);
        } catch (IOException e) {
            throw new BenchException("cannot create the counters: " + e.getMessage(), e);
        }
    }

    AskedProcess process() {
        return process;
    }

    /** Seals and opens records, and returns what OpenSSL allocates for one. */
    NativeCost perRecord(CipherSuite suite, int bytes, int records) {
        process.ask("count", suite, bytes, records);
        long allocations = allocations();
        long allocated = allocatedBytes();
        process.ask("count");
        return new NativeCost(
                (allocations() - allocations) / (double) records, (allocatedBytes() - allocated) / (double) records);
    }

    /** Returns the number of OpenSSL's allocations and reallocations. */
    private long allocations() {
        return read(0);
    }

    /** Returns the bytes that OpenSSL has requested, freed or not. */
    private long allocatedBytes() {
        return read(2 * Long.BYTES);
    }

    /** Returns the bytes that OpenSSL has allocated and not freed. */
    long liveBytes() {
        return read(Long.BYTES);
    }

    private long read(int offset) {
        try (FileChannel file = FileChannel.open(counters)) {
            ByteBuffer all = ByteBuffer.allocate(COUNTER_BYTES).order(ByteOrder.nativeOrder());
            file.read(all, 0);
            return all.getLong(offset);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
