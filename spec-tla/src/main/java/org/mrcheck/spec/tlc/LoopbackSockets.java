package org.mrcheck.spec.tlc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;

/** Sockets for remote objects that nobody outside this machine can reach. */
final class LoopbackSockets extends RMISocketFactory {
  private static final int BACKLOG = 1;

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
  }
}
