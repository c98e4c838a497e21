package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.HttpBackend;
import dev.sluice.interop.fixture.Sluice;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.testkit.ForeignResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that controls the servers of a gateway in another process. */
class BackendsCommandTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void drainsAServerAndListsIt() {
        try (Backend backend = HttpBackend.start();
                GatewayProcess gateway = GatewayProcess.start(GatewaySetup.before(backend, Transport.EPOLL)
                        .with("admin: unix:" + directory.resolve("admin")))) {
            String name = backends("list", "--json").output().replaceFirst("(?s).*\"backend\":\"([^\"]*)\".*", "$1");
            String server = backend.address();

            assertThat(backends("drain", name, server, "--wait", "30s").output())
                    .isEqualTo(
                            "backend " + name + ": server " + server + " is draining, weight 1, 0 connections open\n");
            assertThat(backends("list").output()).containsPattern(server + " +draining +1 +primary +0");
            assertThat(backends("weight", name, server, "5").output()).contains("is draining, weight 5");
            assertThat(backends("enable", name, server).output()).contains("is up, weight 5");
            ForeignResult refused = backends("disable", name, "nobody:1");
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.errors()).contains("backend " + name + " has no server \"nobody:1\"; it has " + server);
            assertThat(gateway.log()).contains("server " + server + " is draining by an operator");
        }
    }

    private ForeignResult backends(String... arguments) {
        List<String> command = new ArrayList<>(List.of("backends"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--admin", directory.resolve("admin").toString()));
        return Sluice.command(command.toArray(String[]::new)).run();
    }
}
