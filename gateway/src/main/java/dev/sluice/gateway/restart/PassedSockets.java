package dev.sluice.gateway.restart;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.config.yaml.HostLookup;
import dev.sluice.ffi.libc.DescriptorMessage;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.gateway.log.ForeignText;
import dev.sluice.gateway.restart.InheritedSockets.Socket;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Listening sockets on their way from a gateway to the one that replaces it. A message tells what a listener had
 * configured and where it listens, and brings its descriptors; the end of the connection is the end of the list.
 */
public final class PassedSockets {
    /**
     * A listener's sockets.
     *
     * @param configured its address in the configuration, port 0 included
     * @param bound where it listens
     */
    public record Address(InetSocketAddress configured, InetSocketAddress bound) {
        private static final HostLookup NUMBERS_ONLY = name -> {
            throw new UnknownHostException(name);
        };

        /**
         * Reads the text of a message.
         *
         * @throws IOException when it is none of a gateway
         */
        static Address of(String text) throws IOException {
            String[] words = text.split(" ", -1);
            try {
                if (words.length == 2) {
                    return new Address(
                            Addresses.toListen(words[0], NUMBERS_ONLY), Addresses.toListen(words[1], NUMBERS_ONLY));
                }
            } catch (IllegalArgumentException noAddress) {
                // reported below
            }
            throw new IOException("\"" + ForeignText.cut(text)
                    + "\" came in place of two addresses; stop the running gateway, and start this one without"
                    + " --replace");
        }

        /** Returns the text of a message. */
        String text() throws UnknownHostException {
            return numeric(configured) + " " + numeric(bound);
        }
    }

    private final Map<Address, List<Integer>> descriptors = new LinkedHashMap<>();

    /** None so far. */
    public PassedSockets() {}

    /** Adds a socket, whose descriptor stays its owner's. */
    public void add(Address address, int descriptor) {
        descriptors.computeIfAbsent(address, _ -> new ArrayList<>()).add(descriptor);
    }

    /** Returns the number of sockets. */
    public int count() {
        return descriptors.values().stream().mapToInt(List::size).sum();
    }

    /**
     * Sends copies to who waits at a path.
     *
     * @throws IOException when nobody does
     */
    public void sendTo(Path path) throws IOException {
        try (DescriptorSocket socket = DescriptorSocket.connect(path)) {
            for (Map.Entry<Address, List<Integer>> entry : descriptors.entrySet()) {
                send(socket, entry.getKey(), entry.getValue());
            }
        }
    }

    private static void send(DescriptorSocket socket, Address address, List<Integer> all) throws IOException {
        String line = address.text();
        for (int i = 0; i < all.size(); i += DescriptorMessage.DESCRIPTORS_MAX) {
            List<Integer> some = all.subList(i, Math.min(all.size(), i + DescriptorMessage.DESCRIPTORS_MAX));
            socket.send(line, some.stream().mapToInt(Integer::intValue).toArray());
        }
    }

    /** Without the name that stands for it, which need not resolve where it is read, or not to the same. */
    private static String numeric(InetSocketAddress address) throws UnknownHostException {
        InetAddress ip = address.getAddress();
        return ip instanceof Inet4Address
                ? BackendConfig.text(
                        new InetSocketAddress(InetAddress.getByAddress(ip.getAddress()), address.getPort()))
                : BackendConfig.text(address);
    }

    /**
     * Takes all that comes over a connection.
     *
     * @throws IOException when something else comes; nothing stays open
     */
    static InheritedSockets receive(DescriptorSocket socket) throws IOException {
        List<Socket> received = new ArrayList<>();
        List<Integer> open = new ArrayList<>();
        try {
            for (DescriptorSocket.Message message = socket.receive();
                    !message.text().isEmpty();
                    message = socket.receive()) {
                open.addAll(message.descriptors());
                Address address = Address.of(message.text());
                for (int descriptor : message.descriptors()) {
                    received.add(new Socket(descriptor, "", address.configured(), address.bound()));
                }
            }
            return new InheritedSockets(received, true);
        } catch (IOException | RuntimeException e) {
            try (LibC libc = new LibC()) {
                open.forEach(libc::close);
            }
            throw e;
        }
    }
}
