package dev.sluice.cli;

import dev.sluice.ffi.openssl.OpenSslNotFoundException;
import dev.sluice.gateway.GatewayStartException;
import dev.sluice.gateway.config.ConfigException;
import dev.sluice.net.BackendUnavailableException;
import dev.sluice.tls.TlsConfigurationException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Tells people what went wrong: problems that they can solve without a stack trace, our own errors with one. */
final class Problems {
    private Problems() {}

    /** A command threw. */
    static int report(Exception thrown, CommandLine command, ParseResult parsed) {
        if (thrown instanceof ConfigException) {
            command.getErr().println(thrown.getMessage());
            return ExitCode.REFUSED;
        }
        if (isTheirs(thrown)) {
            command.getErr().println("sluice: " + thrown.getMessage());
            return ExitCode.REFUSED;
        }
        command.getErr().println("sluice: an error of our own, please report it:");
        thrown.printStackTrace(command.getErr());
        return ExitCode.FAILED;
    }

    /** The command line makes no sense. */
    static int reportUsage(ParameterException thrown, String[] arguments) {
        CommandLine command = thrown.getCommandLine();
        command.getErr().println("sluice: " + thrown.getMessage());
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(thrown, command.getErr())) {
            command.usage(command.getErr());
        }
        return ExitCode.REFUSED;
    }

    private static boolean isTheirs(Exception thrown) {
        return thrown instanceof RefusedException
                || thrown instanceof GatewayStartException
                || thrown instanceof BackendUnavailableException
                || thrown instanceof OpenSslNotFoundException
                || thrown instanceof TlsConfigurationException;
    }
}
