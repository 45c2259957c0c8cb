package org.mrcheck.lang.trace;

/**
 * Who did or saw an event: a host and a role on it, written {@code host/role}. A host is a device's
 * address or name; queue pair numbers and keys belong to a host. A role is a thread or a function,
 * such as {@code owner}, {@code engine0} or {@code wire}.
 *
 * @param host address or name, no white space and no slash
 * @param role thread or function on that host, no white space and no slash
 */
public record Actor(String host, String role) {
  @Override
  public String toString() {
    return host + "/" + role;
  }
}
