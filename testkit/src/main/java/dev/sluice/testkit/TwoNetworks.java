package dev.sluice.testkit;

import static org.junit.jupiter.api.Assumptions.abort;

import java.util.ArrayList;
import java.util.List;

/**
 * Two network namespaces of this machine, joined by a cable (veth), as two machines of one local network. Nothing sent
 * in them leaves them. Needs root and the program ip.
 */
public final class TwoNetworks implements AutoCloseable {
    /** The address of the first machine. */
    public static final String FIRST_ADDRESS = "10.99.7.1";
    /** The address of the second machine. */
    public static final String SECOND_ADDRESS = "10.99.7.2";

    private final ForeignProgram ip;
    private final String name;

    private TwoNetworks(ForeignProgram ip, String name) {
        this.ip = ip;
        this.name = name;
    }

    /** Makes them, or ends the calling test, skipped, where that is not permitted. The caller closes them. */
    public static TwoNetworks make() {
        ForeignProgram ip = ForeignProgram.required("ip", "iproute2");
        TwoNetworks networks =
                new TwoNetworks(ip, "slc" + ProcessHandle.current().pid());
        ForeignResult made = networks.command("netns", "add", networks.first());
        if (made.exitCode() != 0) {
            abort("network namespaces are not permitted here (" + made.errors().strip()
                    + "); remedy: run the test as root, in a container with --privileged");
        }
        try {
            networks.connect();
            return networks;
        } catch (RuntimeException | Error e) {
            networks.close();
            throw e;
        }
    }

    private void connect() {
        expect("netns", "add", second());
        ForeignResult cable = command(
                "link",
                "add",
                name + "a",
                "netns",
                first(),
                "type",
                "veth",
                "peer",
                "name",
                name + "b",
                "netns",
                second());
        if (cable.exitCode() != 0) {
            abort("the kernel has no veth (" + cable.errors().strip() + "); remedy: modprobe veth");
        }
        start(first(), name + "a", FIRST_ADDRESS);
        start(second(), name + "b", SECOND_ADDRESS);
    }

    private void start(String namespace, String cable, String address) {
        expect("-n", namespace, "addr", "add", address + "/24", "broadcast", "+", "dev", cable);
        expect("-n", namespace, "link", "set", cable, "up");
        expect("-n", namespace, "link", "set", "lo", "up");
    }

    private String first() {
        return name + "-1";
    }

    private String second() {
        return name + "-2";
    }

    /** Returns a command that runs on the first machine. */
    public ForeignCommand onFirst(List<String> line) {
        return on(first(), line);
    }

    /** Returns a command that runs on the second machine. */
    public ForeignCommand onSecond(List<String> line) {
        return on(second(), line);
    }

    private ForeignCommand on(String namespace, List<String> line) {
        List<String> all = new ArrayList<>(List.of("netns", "exec", namespace));
        all.addAll(line);
        return ip.command(all.toArray(String[]::new));
    }

    private ForeignResult command(String... arguments) {
        return ip.command(arguments).run();
    }

    private void expect(String... arguments) {
        command(arguments).expectSuccess();
    }

    @Override
    public void close() {
        command("netns", "delete", first());
        command("netns", "delete", second());
    }
}
