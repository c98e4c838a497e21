package dev.sluice.cli.allocations;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.Recording;
import jdk.jfr.Throttle;
import org.jspecify.annotations.Nullable;

/**
 * The recorder in the other JVM. Each call of {@code Unsafe.allocateMemory} in an {@link AllocationSource} is preceded
 * by a call of {@link #allocated}, for as long as the recording takes.
 */
public final class AllocationRecorder implements ClassFileTransformer {
    private static final String ALLOCATOR = "jdk/internal/misc/Unsafe";
    private static final String ALLOCATE = "allocateMemory";
    private static final ClassDesc HERE = ClassDesc.of("dev.sluice.cli.allocations.AllocationRecorder");
    private static final MethodTypeDesc ALLOCATED = MethodTypeDesc.ofDescriptor("(JLjava/lang/String;)V");
    private static final LongAdder COUNT = new LongAdder();
    private static final LongAdder BYTES = new LongAdder();

    private final Map<Class<?>, AllocationSource> sources = new HashMap<>();

    private AllocationRecorder() {
        for (AllocationSource source : AllocationSource.values()) {
            try {
                sources.put(Class.forName(source.className(), true, null), source);
            } catch (ClassNotFoundException e) {
                // A JVM without the module jdk.unsupported.
            }
        }
    }

    /**
     * Records for a while, then removes every trace of it from the code.
     *
     * @param arguments seconds, events per second and the file of the recording, in this order, with spaces between
     */
    public static void run(String arguments, Instrumentation instrumentation)
            throws IOException, UnmodifiableClassException, InterruptedException {
        String[] words = arguments.split(" ", 3);
        COUNT.reset();
        BYTES.reset();
        AllocationRecorder recorder = new AllocationRecorder();
        try (Recording recording = new Recording()) {
            recording.setName("sluice allocations");
            recording.enable(NativeAllocation.class).withStackTrace().with(Throttle.NAME, words[1] + "/s");
            recording.enable(AllocationTotals.class);
            recording.start();
            recorder.hook(instrumentation, Duration.ofSeconds(Long.parseLong(words[0])));
            AllocationTotals totals = new AllocationTotals();
            totals.count = COUNT.sum();
            totals.byteSize = BYTES.sum();
            totals.commit();
            recording.stop();
            recording.dump(Path.of(words[2]));
        }
    }

    /** Called before each allocation. */
    public static void allocated(long byteSize, String source) {
        COUNT.increment();
        BYTES.add(byteSize);
        NativeAllocation event = new NativeAllocation();
        event.byteSize = byteSize;
        event.source = source;
        event.commit();
    }

    private void hook(Instrumentation instrumentation, Duration duration)
            throws UnmodifiableClassException, InterruptedException {
        Class<?>[] hooked = sources.keySet().toArray(Class<?>[]::new);
        instrumentation.addTransformer(this, true);
        try {
            instrumentation.retransformClasses(hooked);
            Thread.sleep(duration);
        } finally {
            instrumentation.removeTransformer(this);
            instrumentation.retransformClasses(hooked);
        }
    }

    @Override
    public byte @Nullable [] transform(
            Module module,
            @Nullable ClassLoader loader,
            String name,
            @Nullable Class<?> type,
            @Nullable ProtectionDomain domain,
            byte[] code) {
        AllocationSource source = type == null ? null : sources.get(type);
        if (source == null) {
            return null;
        }
        ClassFile file = ClassFile.of();
        return file.transformClass(
                file.parse(code),
                ClassTransform.transformingMethodBodies((builder, element) -> element(builder, element, source)));
    }

    private static void element(CodeBuilder builder, CodeElement element, AllocationSource source) {
        if (element instanceof InvokeInstruction call
                && call.owner().asInternalName().equals(ALLOCATOR)
                && call.name().equalsString(ALLOCATE)) {
            builder.dup2().loadConstant(source.name()).invokestatic(HERE, "allocated", ALLOCATED);
        }
        builder.with(element);
    }
}
