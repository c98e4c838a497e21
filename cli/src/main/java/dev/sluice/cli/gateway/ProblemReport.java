package dev.sluice.cli.gateway;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.RefusedException;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.config.yaml.ProblemKind;
import dev.sluice.cost.figures.CostException;
import dev.sluice.ffi.openssl.raw.OpenSslNotFoundException;
import dev.sluice.ffi.zstd.ZstdNotFoundException;
import dev.sluice.gateway.outcome.GatewayStartException;
import dev.sluice.net.BackendUnavailableException;
import dev.sluice.tls.failure.TlsConfigurationException;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelFailure;
import dev.sluice.transfer.meet.MeetException;
import dev.sluice.transfer.meet.MeetFailure;
import dev.sluice.transfer.mount.MountException;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The error reports of commands: problems of the user without a stack trace, internal errors with one. */
public final class ProblemReport {
    private ProblemReport() {}

    /**
     * Reports an exception of a command.
     *
     * @return the exit code
     */
    public static int report(Exception thrown, PrintWriter err) {
        if (thrown instanceof ConfigException) {
            err.println(thrown.getMessage());
        } else if (isTheirs(thrown)) {
            err.println("sluice: " + thrown.getMessage());
        } else {
            err.println("sluice: internal error, please report it:");
            thrown.printStackTrace(err);
        }
        return exitCode(thrown);
    }

    /** Returns the exit code of a command that ends by an exception. */
    public static int exitCode(Exception thrown) {
        if (!(thrown instanceof ConfigException) && !isTheirs(thrown)) {
            return ExitCode.FAILED;
        }
        return kindOf(thrown) == ProblemKind.TRANSIENT ? ExitCode.TRY_AGAIN : ExitCode.REFUSED;
    }

    /** Returns the kind of a problem: whether a retry may succeed without any change. */
    static ProblemKind kindOf(Exception thrown) {
        return switch (thrown) {
            case ConfigException config -> config.kind();
            case GatewayStartException start -> start.kind();
            case TlsConfigurationException tls
            when tls.getCause() instanceof IOException unreadable -> ProblemKind.of(unreadable);
            case TransferException transfer -> kindOf(transfer.failure());
            case ChannelException channel
            when channel.failure() == ChannelFailure.TIMED_OUT || channel.failure() == ChannelFailure.CONNECTION ->
                ProblemKind.TRANSIENT;
            case MeetException meet when meet.failure() != MeetFailure.MACHINE -> ProblemKind.TRANSIENT;
            default -> ProblemKind.PERMANENT;
        };
    }

    /** Returns the kind of a failed transfer: those that resume are transient. */
    private static ProblemKind kindOf(TransferFailure failure) {
        return switch (failure) {
            case PEER_VANISHED, CANCELLED, RESOURCES, DISK_FULL -> ProblemKind.TRANSIENT;
            default -> ProblemKind.PERMANENT;
        };
    }

    /** Reports an invalid command line. */
    public static int reportUsage(ParameterException thrown, String[] arguments) {
        CommandLine command = thrown.getCommandLine();
        command.getErr().println("sluice: " + thrown.getMessage());
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(thrown, command.getErr())) {
            command.usage(command.getErr());
        }
        return ExitCode.REFUSED;
    }

    private static boolean isTheirs(Exception thrown) {
        return thrown instanceof RefusedException
                || thrown instanceof CostException
                || thrown instanceof GatewayStartException
                || thrown instanceof BackendUnavailableException
                || thrown instanceof OpenSslNotFoundException
                || thrown instanceof ZstdNotFoundException
                || thrown instanceof TlsConfigurationException
                || thrown instanceof ChannelException
                || thrown instanceof MeetException
                || thrown instanceof MountException
                || (thrown instanceof TransferException transfer && transfer.failure() != TransferFailure.INTERNAL);
    }
}
