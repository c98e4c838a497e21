package dev.sluice.cli.transfer;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.RefusedException;
import dev.sluice.cli.command.StandardOptions;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.KeyFingerprint;
import dev.sluice.transfer.identity.OwnKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that shows this machine's key and the keys that peers may have. */
@Command(
        name = "keys",
        description =
                "Shows the fingerprint of this machine's key, and the keys that peers may have; with --allow, adds "
                        + "one.",
        footer = {"", "Exit code: 0 on success, 2 when refused."})
public final class KeysCommand implements Callable<Integer> {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    @Mixin
    private final OwnKeyOption key = new OwnKeyOption();

    @Mixin
    private final AllowedKeysOption file = new AllowedKeysOption();

    @Option(names = "--allow", paramLabel = "FINGERPRINT", description = "Add a key to the file.")
    private @Nullable String allow;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "A name for the added key.")
    private String name = "";

    @Mixin
    private final StandardOptions standard = new StandardOptions();

    @Override
    public Integer call() {
        Path allowed = file.path();
        PrintWriter out = standard.out();
        if (allow != null) {
            add(allowed, PeerOptions.fingerprint(allow));
        }
        try (OwnKey own = key.open()) {
            out.println("own key  " + own.fingerprint());
        }
        if (Files.exists(allowed)) {
            AllowedKeys keys = AllowedKeys.read(allowed);
            keys.keys().stream()
                    .map(each -> ("allowed  " + each + "  " + keys.nameOf(each)).stripTrailing())
                    .sorted()
                    .forEach(out::println);
        }
        out.flush();
        return ExitCode.OK;
    }

    private void add(Path allowed, KeyFingerprint fingerprint) {
        if (name.lines().skip(1).findAny().isPresent()) {
            throw new RefusedException(
                    "the name \"" + name.replaceAll("\\R", "\\\\n") + "\" has more than one line; write it on one");
        }
        try {
            append(allowed, fingerprint);
        } catch (IOException e) {
            throw new RefusedException(
                    "allowed keys not writable: " + allowed + " (" + e + "); check the path and its permissions");
        }
    }

    private void append(Path allowed, KeyFingerprint fingerprint) throws IOException {
        if (Files.notExists(allowed)) {
            Files.createDirectories(allowed.toAbsolutePath().getParent());
            Files.createFile(allowed, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        }
        String before = Files.readString(allowed);
        if (AllowedKeys.parse(allowed.toString(), before.lines().toList()).contains(fingerprint)) {
            return;
        }
        String end = before.isEmpty() || before.endsWith("\n") ? "" : "\n";
        String line = (fingerprint + "  " + name).stripTrailing();
        Files.writeString(allowed, end + line + "\n", StandardOpenOption.APPEND);
    }
}
