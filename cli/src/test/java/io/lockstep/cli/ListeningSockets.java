package io.lockstep.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sockets on which a local process listens, as Linux reports them. */
final class ListeningSockets {

    private static final String LISTENING = "0A";

    private ListeningSockets() {}

    /** The addresses of all its TCP ports. */
    static List<InetAddress> of(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        Set<String> sockets;
        try (Stream<Path> files = Files.list(process.resolve("fd"))) {
            sockets =
                    files.map(ListeningSockets::target)
                            .filter(target -> target.startsWith("socket:["))
                            .map(target -> target.substring(8, target.length() - 1))
                            .collect(Collectors.toSet());
        }
        List<InetAddress> addresses = new ArrayList<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            for (String line : Files.readAllLines(process.resolve(table))) {
                String[] fields = line.trim().split(" +");
                if (fields[3].equals(LISTENING) && sockets.contains(fields[9])) {
                    addresses.add(address(fields[1].split(":")[0]));
                }
            }
        }
        return addresses;
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            // It was closed meanwhile.
            return "";
        }
    }

    /** Linux prints an address as 32-bit words in the machine's byte order. */
    private static InetAddress address(String words) throws IOException {
        byte[] bytes = HexFormat.of().parseHex(words);
        ByteBuffer given = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        ByteBuffer network = ByteBuffer.allocate(bytes.length);
        while (given.hasRemaining()) {
            network.putInt(given.getInt());
        }
        return InetAddress.getByAddress(network.array());
    }
}
