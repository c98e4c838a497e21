package dev.sluice.cli.command;

import java.lang.reflect.Proxy;
import java.util.Objects;

/**
 * SIGTERM and SIGINT as a request to drain, SIGHUP as one to read the configuration again; SIGWINCH. A shutdown hook would not do: after one the JVM's exit code tells the signal,
 * and a second signal is not heard. The JDK's own way is {@code sun.misc.Signal}, which the module jdk.unsupported keeps for
 * want of another; it is called by reflection, since javac warns of it in a way that nothing turns off.
 */
public final class Signals {
    private Signals() {}

    /** Runs a task, on a thread of the JVM's, with each SIGTERM and SIGINT instead of ending the process. */
    public static void onTerminate(Runnable task) {
        handle(task, "TERM", "INT");
    }

    /**
     * Runs a task with each SIGHUP instead of ending the process.
     *
     * @return false when SIGHUP is ignored, as nohup has it, which the JVM leaves as it is
     */
    public static boolean onHangUp(Runnable task) {
        return handle(task, "HUP");
    }

    /** Runs a task whenever the terminal has another size. */
    public static void onResize(Runnable task) {
        handle(task, "WINCH");
    }

    /** Whether none of them is ignored. */
    private static boolean handle(Runnable task, String... names) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Object handler = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                        if (method.getDeclaringClass() == Object.class) {
                            return method.invoke(task, arguments);
                        }
                        task.run();
                        return null;
                    });
            Object ignored = handlerType.getField("SIG_IGN").get(null);
            boolean heard = true;
            for (String name : names) {
                Object number = signal.getConstructor(String.class).newInstance(name);
                Object before = signal.getMethod("handle", signal, handlerType).invoke(null, number, handler);
                heard &= !Objects.equals(before, ignored);
            }
            return heard;
        } catch (ReflectiveOperationException e) {
            throw new RefusedException("this JVM does not let signals be handled: " + e
                    + "; run it without -Xrs, on a JDK with the module jdk.unsupported");
        }
    }

    /** Sends this process a SIGTERM. */
    public static void terminate() {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            signal.getMethod("raise", signal)
                    .invoke(null, signal.getConstructor(String.class).newInstance("TERM"));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
