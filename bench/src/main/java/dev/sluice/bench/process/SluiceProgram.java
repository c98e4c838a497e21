package dev.sluice.bench.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The command lines of the program that is shipped, with the options of this JVM. */
public final class SluiceProgram {
    private static final String MODULE = "dev.sluice.cli";
    private static final String MAIN_CLASS = "dev.sluice.cli.Main";

    /** The AOT caches' names, see tools/launcher/build.sh. */
    private static final String GATEWAY_CACHE = "gateway.aot";

    private static final String COMMAND_CACHE = "command.aot";

    private SluiceProgram() {}

    /** Returns the reason why the program cannot run here, if there is one. */
    public static Optional<String> unavailable() {
        return ModuleLayer.boot().findModule(MODULE).isPresent()
                ? Optional.empty()
                : Optional.of("the module " + MODULE + " is missing; run ./sluice bench");
    }

    /**
     * Returns a command. This JVM has the AOT cache of gateways; other commands get theirs.
     *
     * @param options more options for the JVM
     * @param arguments the name of the command, and its arguments
     */
    public static List<String> command(Site site, List<String> options, List<String> arguments) {
        List<String> flags = new ArrayList<>(JavaCommand.flagsOfThisProcess());
        if (!arguments.getFirst().equals("gateway")) {
            flags.replaceAll(flag -> flag.replace(GATEWAY_CACHE, COMMAND_CACHE));
        }
        flags.addAll(options);
        site.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
        return JavaCommand.of(flags, MODULE, MAIN_CLASS, arguments);
    }

    /** Returns the options for the libraries that lie on the class path, such as Prometheus' client for metrics. */
    public static List<String> classPath() {
        String path = System.getProperty("java.class.path", "");
        return path.isEmpty() ? List.of() : List.of("-cp", path);
    }
}
