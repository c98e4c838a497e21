package dev.sluice.bench.record;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.record.path.PathKind;
import org.jspecify.annotations.Nullable;

/**
 * A row of the report: one way to protect records, in its own process.
 *
 * @param identity its name; {@link Role#FLOOR} is the reference of ratios
 * @param kind kind of a JVM's path; null for a program in C
 * @param baseline the argument of the program in C; null for a JVM
 */
public record Row(
        Identity identity,
        @Nullable PathKind kind,
        @Nullable String baseline) {
    /** The reference: only the cipher. */
    public static final Row EVP = inC("bare EVP calls, C", Role.FLOOR, "evp");

    static final Row EVP_AGAIN = new Row(Identity.controlOf(EVP.name()), null, "evp");
    static final Row LIBSSL = inC("libssl over a BIO pair, C", Role.PEER, "libssl");
    static final Row CHANNEL = inJava("Sluice record layer", Role.SUBJECT, PathKind.CHANNEL);
    /** Sluice's record layer behind the interface of an engine. */
    public static final Row DIRECT = inJava("Sluice DirectEngine", Role.SUBJECT, PathKind.DIRECT_ENGINE);
    /** libssl over rings in memory. */
    public static final Row MEMORY = inJava("Sluice MemoryEngine", Role.SUBJECT, PathKind.MEMORY_ENGINE);

    /** libssl on a loopback socket. */
    public static final Row DESCRIPTOR =
            inJava("Sluice DescriptorEngine, loopback", Role.SUBJECT, PathKind.DESCRIPTOR_ENGINE);

    /** The noise floor, a JVM like the one that it repeats. */
    public static final Row MEMORY_AGAIN = new Row(Identity.controlOf(MEMORY.name()), PathKind.MEMORY_ENGINE, null);

    /** The JDK's engine with buffers on the heap. */
    public static final Row JDK_HEAP = inJava("JDK SSLEngine, heap", Role.PEER, PathKind.JDK_HEAP);
    /** The JDK's engine with direct buffers. */
    public static final Row JDK_DIRECT = inJava("JDK SSLEngine, direct", Role.PEER, PathKind.JDK_DIRECT);
    /** Sluice's engine of JSSE with buffers on the heap. */
    public static final Row JSSE_HEAP = inJava("Sluice SSLEngine, heap", Role.SUBJECT, PathKind.JSSE_HEAP);
    /** Sluice's engine of JSSE with direct buffers. */
    public static final Row JSSE_DIRECT = inJava("Sluice SSLEngine, direct", Role.SUBJECT, PathKind.JSSE_DIRECT);

    /** The noise floor, a JVM like the one that it repeats. */
    public static final Row JDK_DIRECT_AGAIN =
            new Row(Identity.controlOf(JDK_DIRECT.name()), PathKind.JDK_DIRECT, null);

    /** Netty's engine over BoringSSL. */
    public static final Row NETTY = inJava("Netty tcnative (BoringSSL)", Role.PEER, PathKind.NETTY);

    /** Netty's engine in a pipeline. */
    public static final Row NETTY_PIPELINE = inJava("Netty tcnative, pipeline", Role.PEER, PathKind.NETTY_PIPELINE);

    /** Conscrypt's engine over BoringSSL. */
    public static final Row CONSCRYPT = inJava("Conscrypt (BoringSSL)", Role.PEER, PathKind.CONSCRYPT);

    static final Row EVP_TWO_KEYS = inC("bare EVP calls, C, two keys", Role.FLOOR, "evp-two-keys");
    static final Row CHANNEL_TWO_KEYS =
            inJava("Sluice record layer, two connections", Role.SUBJECT, PathKind.CHANNEL_TWO_KEYS);

    private static Row inC(String name, Role role, String baseline) {
        return new Row(Identity.of(name, role), null, baseline);
    }

    private static Row inJava(String name, Role role, PathKind kind) {
        return new Row(Identity.of(name, role), kind, null);
    }

    /** Returns the name for display. */
    public String name() {
        return identity.name();
    }

    /** Returns whether OpenSSL protects the records, so that its allocations can be counted. */
    boolean runsOnOpenSsl() {
        return kind == null || kind.onOpenSsl();
    }
}
