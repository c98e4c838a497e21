package dev.sluice.config.read;

import dev.sluice.config.certificate.AgreeingTlsCheck;
import dev.sluice.config.yaml.ConfigException;
import dev.sluice.config.yaml.Environment;
import dev.sluice.config.yaml.HostLookup;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/** Sample configurations, and the files that they name. */
public final class ConfigSamples {
    public static final String MINIMAL = """
            listeners:
              - {address: 127.0.0.1:8443, certificates: [shop], backend: web}
            certificates:
              shop: {chain: shop.pem, key: shop.key}
            backends:
              web: {servers: [127.0.0.1:8080]}
            """;

    /** One of each kind of section. */
    static final List<String> ALL = List.of(
            MINIMAL,
            MINIMAL + "tickets: off\n",
            MINIMAL + "ocsp: off\n",
            MINIMAL + "alerts: on\n",
            MINIMAL + "alerts: off\nadmin: unix:admin.sock\n",
            MINIMAL
                    + "tickets: {rotate: 1h}\nalerts: {hold: 5s, resumption-ratio: 0.85, rsa-ratio: off,"
                    + " backend-down: off,"
                    + " certificate-expiry: 30d, staple-expiry: off, command: [/bin/echo, \"a b\"]}\n",
            MINIMAL + "access-log: off\n",
            MINIMAL + "log: {level: warn, format: json, target: syslog, facility: local3, socket: devlog}\n",
            MINIMAL + "log: {target: journald}\n",
            MINIMAL + "metrics: {otlp: {endpoint: \"https://[::1]:4318\", interval: 1m}}\n",
            MINIMAL + "access-log: {file: access.log, sample: 0.25, max-size: 1MiB, keep: 9}\n",
            MINIMAL + "ocsp: {keep: 1h, directory: responses}\n",
            MINIMAL.replace("backend: web}", "backend: web, profile: modern}"),
            MINIMAL.replace(
                    "backend: web}",
                    "backend: web, certificate-compression: off, ech: {public-name: localhost, directory: keys, rotate:"
                            + " off, keep: 2}}"),
            MINIMAL
                    + "admin: {socket: \"unix:admin.sock\", address: 127.0.0.1:9900, token-file: admin.token,"
                    + " certificate:"
                    + " shop.pem, key: shop.key, client-ca: shop.pem}\n",
            MINIMAL + "tickets: {rotate: 1h, keep: 3h, count: 4}\n",
            MINIMAL + "tickets: {store: \"local:state\", fleet-key: fleet.key, shared-with: nginx-stream}\n",
            MINIMAL + "tickets: {store: \"file:keys\"}\n",
            MINIMAL + "tickets: {store: \"rediss://u:p%40ss@[::1]:7/2?key=a:b\", fleet-key: fleet.key, poll: 2s,"
                    + " store-ca: shop.pem}\nadmin: unix:admin.sock\n",
            """
            listeners:
              - address: "[::1]:8443"
                certificates: [shop, api]
                alpn: [h2, http/1.1]
                min-version: 1.3
                ciphers: [TLS_AES_128_GCM_SHA256]
                groups: [X25519]
                client-auth: optional
                client-ca: shop.pem
                early-data: hold
                alpn-required: on
                strict-sni: on
                client-names: ["cn:anna", "dns:*.svc.example"]
                keepalive: 30s
                connections: 5000
                fingerprint: ja4
                proxy-protocol: {from: [10.0.0.0/8]}
                allow: [192.0.2.0/24, "2001:db8::/32"]
                deny: 192.0.2.13
                socket: tls
                routes:
                  - {sni: "*.api.example.com", alpn: h2, backend: api}
                  - {backend: web}
            certificates:
              shop: {chain: [shop.pem, shop-rsa.pem], key: [shop.key, shop-rsa.key]}
              api: {chain: api.pem, key: api.key}
            backends:
              web: {servers: ["127.0.0.1:8080", "unix:web.sock"], balance: least-connections, proxy-protocol: v2,
                connect: on-data}
              api:
                servers: [127.0.0.1:8081, {address: 127.0.0.1:8082, weight: 3}, {address: "unix:api.sock", backup: on}]
                connect-timeout: 250ms
                tls: {ca: shop.pem, server-name: api.example.com, certificate: api, alpn: [h2]}
                health: {kind: http, path: /health, host: api.example.com, interval: 1s}
                eject: {after: 5, for: 5s}
                balance: hash
                retries: 0
                slow-start: 0s
                resolve: 1m
            limits: {connections: 20000, held-bytes: 64KiB, handshakes-per-second: 100, idle-timeout: 0s}
            loops: 3
            transport: io_uring
            drain: 5s
            """);

    private ConfigSamples() {}

    /** Writes the files that the samples name. */
    public static void writeFiles(Path directory) throws IOException {
        copy(TestCertificates.shared().server(), directory, "shop");
        copy(TestCertificates.shared().serverRsa(), directory, "shop-rsa");
        CertificateRequest api = CertificateRequest.named("api").forHosts("api.example.com", "*.api.example.com");
        copy(TestCertificates.shared().issue(api), directory, "api");
        Files.write(directory.resolve("fleet.key"), new byte[32]);
        Path token = Files.writeString(directory.resolve("admin.token"), "for the admin endpoint\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        Files.createDirectories(directory.resolve("keys"));
    }

    private static void copy(Credential credential, Path directory, String name) throws IOException {
        Files.copy(credential.chainFile(), directory.resolve(name + ".pem"));
        Files.copy(credential.keyFile(), directory.resolve(name + ".key"));
    }

    /** Reads a text as the file sluice.yaml. */
    public static ReadConfig read(Path directory, String text, Map<String, String> variables)
            throws IOException, ConfigException {
        Path file = Files.writeString(directory.resolve("sluice.yaml"), text);
        return ConfigFile.parse(
                ConfigSource.read(file), new AgreeingTlsCheck(), new Environment(variables), HostLookup.SYSTEM);
    }
}
