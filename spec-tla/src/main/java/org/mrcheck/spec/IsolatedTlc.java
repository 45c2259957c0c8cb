package org.mrcheck.spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.mrcheck.spec.spi.TlcBackend;
import org.mrcheck.spec.spi.TlcSession;

/**
 * The one place where TLC enters this process. TLC keeps its state in static fields, so every
 * session gets a class loader that holds a TLC of its own together with our code that touches it.
 * From outside the loader sees the JDK and the bridge's API, nothing of the application.
 */
final class IsolatedTlc {
  private IsolatedTlc() {}

  static TlcSession open(
      TlaTools tools, SpecLibrary library, List<String> modules, Map<String, SpecValue> constants) {
    TlcLoader loader = new TlcLoader(tools);
    try {
      TlcBackend backend =
          ServiceLoader.load(TlcBackend.class, loader)
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("no " + TlcBackend.class));
      return new ClosingSession(backend.open(library, modules, constants), loader);
    } catch (SpecException e) {
      loader.closeQuietly();
      throw e;
    } catch (LinkageError | ServiceConfigurationError e) {
      loader.closeQuietly();
      throw misfit(tools, e);
    }
  }

  private static SpecException misfit(TlaTools tools, Throwable cause) {
    return new SpecException(
        SpecException.Kind.TOOLS,
        null,
        tools.jar() + " is not a release of the TLA+ tools that mrcheck can drive (1.7.x)",
        cause);
  }

  /** Closes the jar with the session. */
  private record ClosingSession(TlcSession session, TlcLoader loader) implements TlcSession {
    @Override
    public SpecValue evaluate(String module, String operator, List<SpecValue> arguments) {
      try {
        return session.evaluate(module, operator, arguments);
      } catch (LinkageError e) {
        throw misfit(loader.tools, e);
      }
    }

    @Override
    public Explanation explain(String module, String operator, List<SpecValue> arguments) {
      try {
        return session.explain(module, operator, arguments);
      } catch (LinkageError e) {
        throw misfit(loader.tools, e);
      }
    }

    @Override
    public void close() {
      session.close();
      loader.closeQuietly();
    }
  }

  private static final class TlcLoader extends URLClassLoader {
    static {
      registerAsParallelCapable();
    }

    private static final String API = "org.mrcheck.spec.";
    private static final String INSIDE = API + "tlc.";
    private static final String SERVICES = "META-INF/services/" + API;

    private final ClassLoader outside = IsolatedTlc.class.getClassLoader();
    private final TlaTools tools;

    TlcLoader(TlaTools tools) {
      super(new URL[] {url(tools)}, ClassLoader.getPlatformClassLoader());
      this.tools = tools;
    }

    private static URL url(TlaTools tools) {
      try {
        return tools.jar().toUri().toURL();
      } catch (MalformedURLException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      return name.startsWith(API) && !name.startsWith(INSIDE)
          ? outside.loadClass(name)
          : super.loadClass(name, resolve);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (!name.startsWith(INSIDE)) {
        return super.findClass(name);
      }
      // Read through the outer loader, so that it does not matter where our own classes come from.
      try (InputStream in = outside.getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
      return name.startsWith(SERVICES) ? outside.getResources(name) : super.findResources(name);
    }

    void closeQuietly() {
      try {
        close();
      } catch (IOException e) {
        // The jar was only read; there is nothing to lose.
      }
    }
  }
}
