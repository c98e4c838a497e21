package dev.sluice.bench.buffers.work;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;

/** The kinds of foreign calls. Each kind has a process of its own, in which the JIT compiler knows all types. */
public enum NativeCallKind {
    /** No foreign call. */
    JAVA("the same in Java", Group.LINKAGE, Role.FLOOR),
    /** A call with the transition of the thread's state. */
    PLAIN("plain", Group.LINKAGE, Role.PEER),
    /** A call without it, during which the collector has to wait. */
    CRITICAL("critical", Group.LINKAGE, Role.PEER),
    /** A call after which errno is stored. */
    ERRNO("capturing errno", Group.LINKAGE, Role.PEER),
    /** The address as a number. */
    ADDRESS("address as a long", Group.SEGMENTS, Role.PEER),
    /** A segment of the global scope. */
    GLOBAL("segment, global", Group.SEGMENTS, Role.PEER),
    /** A segment of a confined arena. */
    CONFINED("segment, Arena.ofConfined", Group.SEGMENTS, Role.PEER),
    /** A segment of a shared arena. */
    SHARED("segment, Arena.ofShared", Group.SEGMENTS, Role.PEER),
    /** A segment that the collector frees. */
    AUTO("segment, Arena.ofAuto", Group.SEGMENTS, Role.PEER),
    /** A segment on the heap, in a critical call. */
    HEAP("segment, heap, critical", Group.SEGMENTS, Role.PEER),
    /** A string that is copied to native memory for each call. */
    COPIED("string copied for each call", Group.SEGMENTS, Role.PEER),
    /** A call that does not call back. */
    NO_UPCALL("no upcall", Group.UPCALLS, Role.PEER),
    /** A call that calls back once. */
    UPCALL("one upcall", Group.UPCALLS, Role.PEER);

    /** The function and its work, which the kinds of an experiment have in common. */
    public enum Group {
        /** labs(3): the ways to link a function. */
        LINKAGE("labs(3) by the way it is linked"),
        /** strlen(3) of eight characters: the ways to pass a pointer. */
        SEGMENTS("strlen(3) of eight characters by the way they are passed"),
        /** bsearch(3): with and without a callback. */
        UPCALLS("bsearch(3) among no or one element, for which it calls back");

        private final String label;

        Group(String label) {
            this.label = label;
        }

        /** Returns the question for display. */
        public String label() {
            return label;
        }
    }

    private static final String TEXT = "12345678";
    private static final long VALUE = -7;

    private final String label;
    private final Group group;
    private final Role role;

    NativeCallKind(String label, Group group, Role role) {
        this.label = label;
        this.group = group;
        this.role = role;
    }

    /** Returns the treatment's identity. */
    public Identity identity() {
        return Identity.of(label, role);
    }

    /** Returns the experiment that it belongs to. */
    public Group group() {
        return group;
    }

    /** Returns a task that checks the result of each call. */
    MeasuredTask open() {
        return switch (this) {
            case JAVA -> checked(() -> Math.abs(VALUE), -VALUE);
            case PLAIN -> checked(() -> NativeCalls.labs(VALUE), -VALUE);
            case CRITICAL -> checked(() -> NativeCalls.labsCritical(VALUE), -VALUE);
            case ERRNO -> checked(() -> NativeCalls.labsErrno(VALUE), -VALUE);
            case ADDRESS -> {
                long address = text(Arena.global()).address();
                yield checked(() -> NativeCalls.strlen(address), TEXT.length());
            }
            case GLOBAL -> ofSegment(Arena.global());
            case CONFINED -> ofSegment(Arena.ofConfined());
            case SHARED -> ofSegment(Arena.ofShared());
            case AUTO -> ofSegment(Arena.ofAuto());
            case HEAP -> {
                MemorySegment text = MemorySegment.ofArray((TEXT + "\0").getBytes(StandardCharsets.UTF_8));
                yield checked(() -> NativeCalls.strlenOnHeap(text), TEXT.length());
            }
            case COPIED -> checked(NativeCallKind::copied, TEXT.length());
            case NO_UPCALL -> ofSearch(0);
            case UPCALL -> ofSearch(1);
        };
    }

    private static MemorySegment text(Arena arena) {
        return arena.allocateFrom(TEXT);
    }

    private static long copied() {
        try (Arena arena = Arena.ofConfined()) {
            return NativeCalls.strlen(text(arena));
        }
    }

    private static MeasuredTask ofSegment(Arena arena) {
        MemorySegment text = text(arena);
        return checked(() -> NativeCalls.strlen(text), TEXT.length());
    }

    private static MeasuredTask ofSearch(long count) {
        MemorySegment elements = text(Arena.global());
        return checked(() -> NativeCalls.bsearch(elements, count), count == 0 ? 0 : elements.address());
    }

    private static MeasuredTask checked(LongSupplier call, long expected) {
        return times -> {
            for (int i = times; i > 0; i--) {
                if (call.getAsLong() != expected) {
                    throw new IllegalStateException("the call did not return " + expected);
                }
            }
        };
    }
}
