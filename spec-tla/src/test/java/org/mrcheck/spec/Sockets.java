package org.mrcheck.spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The TCP sockets on which a process listens, as Linux tells them under {@code /proc}. */
final class Sockets {
  private static final String LISTENING = "0A";

  private Sockets() {}

  static boolean known() {
    return Files.isReadable(Path.of("/proc/net/tcp"));
  }

  /** Local addresses, in the kernel's hexadecimal form, without ports. */
  static Set<String> listening(long pid) throws IOException {
    Set<String> inodes = new HashSet<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        try {
          String target = Files.readSymbolicLink(descriptor).toString();
          if (target.startsWith("socket:[")) {
            inodes.add(target.substring("socket:[".length(), target.length() - 1));
          }
        } catch (NoSuchFileException e) {
          // Closed meanwhile.
        }
      }
    }
    Set<String> addresses = new TreeSet<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      if (Files.isReadable(Path.of(table))) {
        for (String line : Files.readAllLines(Path.of(table))) {
          String[] fields = line.strip().split("\\s+");
          if (fields[3].equals(LISTENING) && inodes.contains(fields[9])) {
            addresses.add(fields[1].substring(0, fields[1].indexOf(':')));
          }
        }
      }
    }
    return addresses;
  }

  static boolean isLoopback(String address) {
    // 127.0.0.0/8, the same mapped into IPv6, and ::1; four bytes each in the machine's order.
    return address.matches("[0-9A-F]{6}7F|0{16}FFFF0000[0-9A-F]{6}7F|0{24}01000000");
  }
}
