package dev.sluice.cli.gateway;

import dev.sluice.cli.command.RefusedException;
import dev.sluice.config.read.ConfigFile;
import dev.sluice.config.read.ConfigSource;
import dev.sluice.config.read.StateDirectory;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.ffi.libc.ProcessUser;
import dev.sluice.ffi.libc.ProcessUser.Account;
import dev.sluice.ffi.libc.ProcessUser.ChangeException;
import dev.sluice.gateway.log.GatewayLog;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The change of a gateway that root has started to the {@code user} of its configuration. It comes before everything
 * else, so that what that user may not read or write fails at the start, and not at a later reload.
 */
final class UserChange {
    private UserChange() {}

    /**
     * Reads a configuration as the user that it names, who this process then is.
     *
     * @throws ConfigException when a file cannot be read, or is not YAML
     * @throws RefusedException when the process cannot become that user
     */
    static ConfigSource read(Path file, GatewayLog log) throws ConfigException {
        ConfigSource source = ConfigSource.read(file);
        String user = ConfigFile.user(source);
        if (ProcessUser.isRoot() && user == null) {
            log.info("running as root, as the configuration names no user");
            return source;
        }
        return user == null || !change(user, log) ? source : ConfigSource.read(file);
    }

    /** Returns whether this process has become another user's. */
    private static boolean change(String user, GatewayLog log) {
        Account account = ProcessUser.find(user);
        if (account == null) {
            throw new RefusedException("user is \"" + user + "\", which this machine does not know; create it, as by"
                    + " useradd --system " + user + ", or name another");
        }
        if (account.uid() == ProcessUser.uid()) {
            return false;
        }
        if (!ProcessUser.isRoot()) {
            throw new RefusedException("user is \"" + user + "\", and this process is that of user " + ProcessUser.uid()
                    + ", who cannot become another; start it as root, or as " + user);
        }
        become(account);
        log.info("running as user " + user + " (" + account.uid() + "), who may listen on ports below 1024");
        requireProgram(user);
        warnOfState(user, log);
        return true;
    }

    private static void become(Account account) {
        try {
            ProcessUser.become(account);
        } catch (ChangeException e) {
            throw new RefusedException("cannot become the user \"" + account.name() + "\": " + e.getMessage()
                    + "; it takes the capabilities CAP_SETUID and CAP_SETGID");
        }
    }

    /** Classes are loaded when they are first needed, some of them long after the start. */
    private static void requireProgram(String user) {
        String modules = System.getProperty("jdk.module.path", "");
        Stream.concat(
                        Stream.of(System.getProperty("java.home")),
                        Stream.of(modules.split(File.pathSeparator)).filter(path -> !path.isEmpty()))
                .map(Path::of)
                .filter(path -> !Files.isReadable(path))
                .findFirst()
                .ifPresent(path -> {
                    throw new RefusedException("user \"" + user + "\" cannot read " + path
                            + ", a part of this program; install it where that user can read");
                });
    }

    private static void warnOfState(String user, GatewayLog log) {
        Path state = StateDirectory.find();
        Path existing = state;
        while (existing != null && !Files.isDirectory(existing)) {
            existing = existing.getParent();
        }
        if (!isWritable(existing)) {
            log.warn("user \"" + user + "\" cannot write the state directory " + state
                    + "; set SLUICE_STATE_DIR to one that this user owns, or stapled responses and certificates by ACME"
                    + " are not kept");
        }
    }

    private static boolean isWritable(@Nullable Path directory) {
        return directory != null && Files.isWritable(directory);
    }
}
