package dev.sluice.bench.process;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Command lines that run a class of this program in a JVM of its own, with this JVM's executable and modules.
 *
 * <p>The module path of {@code ./sluice bench} is the directory that is shipped, then that of the benchmarks. What is
 * shipped runs on the first alone, as users run it: the AOT cache is valid for no other path.
 */
public final class JavaCommand {
    private static final String NATIVE_ACCESS_MODULE = "dev.sluice.ffi";

    private JavaCommand() {}

    /**
     * Returns a command.
     *
     * @param flags options of the JVM
     * @param module the module of the class
     * @param mainClass its full name
     * @param arguments its arguments
     */
    public static List<String> of(List<String> flags, String module, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(executable());
        command.addAll(flags);
        String modulePath = System.getProperty("jdk.module.path");
        if (onModulePath(modulePath)) {
            command.addAll(
                    List.of("--enable-native-access=" + NATIVE_ACCESS_MODULE, "-p", modulePathOf(module, modulePath)));
            command.addAll(List.of("-m", module + "/" + mainClass));
        } else {
            command.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        }
        command.addAll(arguments);
        return command;
    }

    private static String modulePathOf(String module, String modulePath) {
        boolean shipped = !module.equals(JavaCommand.class.getModule().getName());
        return shipped ? modulePath.split(File.pathSeparator, 2)[0] : modulePath;
    }

    /** Returns a command that runs a class outside of any module, with the class path given. */
    public static List<String> onClassPath(List<String> flags, String classPath, String mainClass) {
        List<String> command = new ArrayList<>();
        command.add(executable());
        command.addAll(flags);
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath, mainClass));
        return command;
    }

    private static String executable() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /**
     * Returns the options of this JVM, without the module path and run-specific ones, so that another JVM runs as for
     * users: same collector, same heap, same AOT cache.
     */
    public static List<String> flagsOfThisProcess() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("-X"))
                .toList();
    }

    private static boolean onModulePath(@Nullable String modulePath) {
        return modulePath != null && JavaCommand.class.getModule().isNamed();
    }
}
