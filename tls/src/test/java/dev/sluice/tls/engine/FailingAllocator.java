package dev.sluice.tls.engine;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.HexFormat;

/**
 * The memory allocation of OpenSSL in this process (CRYPTO_set_mem_functions(3)), made to fail at the nth call. Our
 * calls of libcrypto are critical ones, from which Java cannot be called: so the three functions are x86-64 machine
 * code, which counts and passes on to libc's. For one thread.
 */
@SuppressWarnings("restricted") // the machine code is the point
final class FailingAllocator {
    /** State: calls until the failure, 0 when none will fail; then the number of live allocations. */
    private static final long COUNTDOWN_OFFSET = 0;

    private static final long LIVE_OFFSET = 8;
    private static final long CODE_OFFSET = 64;
    private static final long CODE_BYTES = 64;
    private static final long PAGE_BYTES = 4096;
    private static final int READ_WRITE_EXECUTE = 7;
    private static final int PRIVATE_ANONYMOUS = 0x22;

    /** Loads the state's address, then: if armed and the countdown reaches zero, returns null. */
    private static final String COUNT = "48B8%s" // mov rax, state
            + "48833800" // cmp qword [rax], 0
            + "7408" // je go
            + "48FF08" // dec qword [rax]
            + "7503" // jnz go
            + "31C0C3"; // xor eax, eax; ret

    private static final String JUMP = "48B8%s" + "FFE0"; // mov rax, function; jmp rax

    private static final String MALLOC = COUNT + "48FF4008" + JUMP; // go: inc qword [rax + 8]

    private static final String REALLOC = COUNT + "4885FF" + "7504" + "48FF4008" + JUMP; // only of null

    private static final String FREE = "48B8%s" + "4885FF" + "7404" + "48FF4808" + JUMP; // dec, unless of null

    private final MemorySegment page;

    private FailingAllocator(MemorySegment page) {
        this.page = page;
    }

    /** Returns whether this machine can run the code. */
    static boolean isSupported() {
        return System.getProperty("os.arch").equals("amd64");
    }

    /**
     * Replaces the functions, before anything else is done with the library.
     *
     * @param libcrypto its file, or its name for the system's
     */
    static FailingAllocator install(String libcrypto) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MemorySegment mmap = linker.defaultLookup().findOrThrow("mmap");
        MemorySegment page = (MemorySegment) linker.downcallHandle(
                        mmap,
                        FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG))
                .invokeExact(MemorySegment.NULL, PAGE_BYTES, READ_WRITE_EXECUTE, PRIVATE_ANONYMOUS, -1, 0L);
        page = page.reinterpret(PAGE_BYTES);
        MemorySegment set =
                SymbolLookup.libraryLookup(libcrypto, Arena.global()).findOrThrow("CRYPTO_set_mem_functions");
        int done = (int) linker.downcallHandle(set, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS))
                .invokeExact(
                        code(page, 0, MALLOC, "malloc"),
                        code(page, 1, REALLOC, "realloc"),
                        code(page, 2, FREE, "free"));
        if (done != 1) {
            throw new IllegalStateException("libcrypto has allocated memory before");
        }
        return new FailingAllocator(page);
    }

    private static MemorySegment code(MemorySegment page, int index, String template, String function) {
        MemorySegment code = page.asSlice(CODE_OFFSET + index * CODE_BYTES, CODE_BYTES);
        // The process's function, which a checker of memory may have replaced.
        long target = SymbolLookup.libraryLookup("", Arena.global())
                .findOrThrow(function)
                .address();
        byte[] bytes = HexFormat.of().parseHex(template.formatted(immediate(page.address()), immediate(target)));
        code.copyFrom(MemorySegment.ofArray(bytes));
        return code;
    }

    /** Returns an operand of 64 bits, least significant byte first. */
    private static String immediate(long value) {
        return HexFormat.of().toHexDigits(Long.reverseBytes(value));
    }

    /** Lets the nth allocation from now on fail, counted from 1. */
    void arm(long nth) {
        page.set(JAVA_LONG, COUNTDOWN_OFFSET, nth);
    }

    /** Lets none fail any more; returns how many calls were left until then: 0 when one has failed. */
    long disarm() {
        long left = page.get(JAVA_LONG, COUNTDOWN_OFFSET);
        page.set(JAVA_LONG, COUNTDOWN_OFFSET, 0);
        return left;
    }

    /** Returns the number of allocations that are not freed. */
    long live() {
        return page.get(JAVA_LONG, LIVE_OFFSET);
    }
}
