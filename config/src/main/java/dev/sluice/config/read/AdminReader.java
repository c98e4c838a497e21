package dev.sluice.config.read;

import dev.sluice.config.certificate.PemKey;
import dev.sluice.config.key.AdminKeys;
import dev.sluice.config.key.Key;
import dev.sluice.config.model.AdminConfig;
import dev.sluice.config.model.AdminHttpConfig;
import dev.sluice.config.model.AdminTlsConfig;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.config.yaml.Value;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reader of {@code admin}: a Unix socket, or a section with it and the endpoint of metrics and dashboard. */
final class AdminReader {
    /** A token that cannot be guessed: 96 bits in Base64. */
    private static final int TOKEN_CHARACTERS_MIN = 16;

    private static final int TOKEN_CHARACTERS_MAX = 1024;

    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

    private static final int ROOT = 0;

    private final Path directory;

    /** Creates a reader that resolves relative paths against a directory. */
    AdminReader(Path directory) {
        this.directory = directory;
    }

    AdminConfig read(@Nullable Value value) {
        if (value == null) {
            return AdminConfig.NONE;
        }
        if (!value.isSection()) {
            return new AdminConfig(socket(value), null);
        }
        Section section = Section.of(value, AdminKeys.SECTION);
        if (section == null) {
            return AdminConfig.NONE;
        }
        Value socket = section.find(AdminKeys.SOCKET);
        return new AdminConfig(socket == null ? null : socket(socket), http(section));
    }

    private @Nullable Path socket(Value value) {
        String text = value.text();
        if (text == null) {
            return null;
        }
        try {
            if (Addresses.toConnect(text, directory) instanceof UnixDomainSocketAddress socket) {
                value.means("unix:" + socket.getPath());
                return socket.getPath();
            }
            value.problem(value.name() + " is \"" + text + "\"; commands need a Unix socket, whose file mode keeps"
                    + " others out: write unix:/path/to/socket; for metrics and dashboard write admin: {address: "
                    + text
                    + "}");
        } catch (IllegalArgumentException e) {
            value.problem(value.name() + ": " + e.getMessage());
        }
        return null;
    }

    private @Nullable AdminHttpConfig http(Section section) {
        Value where = section.find(AdminKeys.ADDRESS);
        if (where == null) {
            requireAddress(section);
            return null;
        }
        InetSocketAddress address = where.toListen("address: ");
        Value token = section.find(AdminKeys.TOKEN_FILE);
        Path tokenFile = token == null ? null : tokenFile(token);
        AdminTlsConfig tls = tls(section);
        if (address == null) {
            return null;
        }
        AdminHttpConfig http = new AdminHttpConfig(address, tokenFile, tls);
        if (!http.isLoopback() && token == null && section.find(AdminKeys.CLIENT_AUTHORITIES) == null) {
            where.problem("admin.address is " + BackendConfig.text(address)
                    + ", which other machines can reach, without access control; add token-file, or certificate, key"
                    + " and client-ca, or write 127.0.0.1:" + address.getPort());
        }
        return http;
    }

    private static void requireAddress(Section section) {
        for (Key key : AdminKeys.SECTION.companions().keySet()) {
            Value value = section.find(key);
            if (value != null) {
                value.problem(
                        key + " is for metrics and dashboard, which have no address; add address: 127.0.0.1:9900");
            }
        }
    }

    private @Nullable Path tokenFile(Value value) {
        Path file = value.file(directory);
        if (file == null) {
            return null;
        }
        try {
            if (isAccessibleToOthers(file)) {
                value.problem("token-file " + file + " is accessible to other users; chmod 600 " + file);
            }
            int length = Files.readString(file).strip().length();
            if (length < TOKEN_CHARACTERS_MIN || length > TOKEN_CHARACTERS_MAX) {
                value.problem("token-file " + file + " holds " + length + " characters; a token has "
                        + TOKEN_CHARACTERS_MIN + " to " + TOKEN_CHARACTERS_MAX + ": openssl rand -base64 24 > " + file);
            }
        } catch (IOException e) {
            value.problem("token-file " + file + " cannot be read as text (" + e + ")");
        }
        return file;
    }

    /**
     * Root may let a group read the file: so Secrets are mounted in Kubernetes, and files of packages are installed.
     */
    private static boolean isAccessibleToOthers(Path file) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        return permissions.stream().anyMatch(OTHERS::contains)
                || (permissions.contains(PosixFilePermission.GROUP_READ)
                        && !Integer.valueOf(ROOT).equals(Files.getAttribute(file, "unix:uid")));
    }

    private @Nullable AdminTlsConfig tls(Section section) {
        Value certificate = section.find(AdminKeys.CERTIFICATE);
        Value key = section.find(AdminKeys.KEY);
        Value authorities = section.find(AdminKeys.CLIENT_AUTHORITIES);
        if (certificate == null || key == null) {
            for (Value lonely : new Value[] {certificate, key, authorities}) {
                if (lonely != null) {
                    lonely.problem(lonely.name() + " needs " + (certificate == null ? "certificate" : "key")
                            + " beside it: TLS needs certificate and key, and client-ca needs TLS");
                }
            }
            return null;
        }
        Path chain = certificate.file(directory);
        Path keyFile = key.file(directory);
        Path clientAuthorities = authorities == null ? null : authorities.file(directory);
        if (keyFile != null) {
            checkKey(key, keyFile);
        }
        return chain == null || keyFile == null ? null : new AdminTlsConfig(chain, keyFile, clientAuthorities);
    }

    private static void checkKey(Value value, Path file) {
        try {
            PemKey.read(file);
        } catch (IOException | GeneralSecurityException e) {
            value.problem("key " + file + " " + e.getMessage());
        }
    }
}
