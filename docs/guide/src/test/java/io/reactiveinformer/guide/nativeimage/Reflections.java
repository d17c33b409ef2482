package io.reactiveinformer.guide.nativeimage;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassObjectReference;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.VMStartEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What a program accesses by reflection, observed as GraalVM's tracing agent does it: with breakpoints in the JDK's methods for reflection
 * and resources, in a process of its own. As there, only the direct caller of such a method counts.
 */
final class Reflections {

    /** The methods with a breakpoint; those of members tell the class by the member. */
    private static final Map<String, Set<String>> WATCHED = Map.of(
            "java.lang.Class", Set.of("forName", "getFields", "getField", "getDeclaredFields", "getDeclaredField",
                    "getMethods", "getMethod", "getDeclaredMethods", "getDeclaredMethod",
                    "getConstructors", "getConstructor", "getDeclaredConstructors",
                    "getDeclaredConstructor", "getRecordComponents", "getResource", "getResourceAsStream"),
            "java.lang.ClassLoader", Set.of("getResource", "getResources", "getResourceAsStream", "getSystemResource"),
            "java.lang.reflect.Constructor", Set.of("newInstance"),
            "java.lang.reflect.Field", Set.of("get", "set"),
            "java.lang.reflect.Method", Set.of("invoke"),
            "java.lang.System", Set.of("exit"),
            "java.util.ServiceLoader", Set.of("load"),
            "java.lang.reflect.Proxy", Set.of("newProxyInstance"));

    /** By the class that was accessed, or {@code resource NAME}: how. */
    final Map<String, Set<String>> found = new TreeMap<>();

    /** What the program printed. */
    final String output;

    private final Pattern callers;

    /** @param callers the names of the classes whose accesses count, as a regular expression */
    private Reflections(VirtualMachine machine, String callers) throws Exception {
        this.callers = Pattern.compile(callers);
        observe(machine);
        output = read(machine.process().getInputStream()) + read(machine.process().getErrorStream());
    }

    /** Runs {@code main} with the class path of this process until it ends. */
    static Reflections of(Class<?> main, String callers, String... arguments) throws Exception {
        LaunchingConnector launcher = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> settings = launcher.defaultArguments();
        settings.get("main").setValue(main.getName() + " " + String.join(" ", arguments));
        settings.get("options").setValue("-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp \""
                + System.getProperty("java.class.path") + "\"");
        return new Reflections(launcher.launch(settings), callers);
    }

    private static String read(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Until the program calls {@code System.exit}. */
    private void observe(VirtualMachine machine) throws InterruptedException, IncompatibleThreadStateException {
        while (true) {
            EventSet events = machine.eventQueue().remove();
            for (Event event : events) {
                if (event instanceof VMStartEvent) {
                    WATCHED.keySet().forEach(type -> stopIn(machine, type));
                } else if (event instanceof ClassPrepareEvent loaded) {
                    stopIn(loaded.referenceType());
                } else if (event instanceof BreakpointEvent stopped) {
                    Method called = stopped.location().method();
                    if (called.name().equals("exit")) {
                        machine.exit(0);
                        return;
                    }
                    note(stopped.thread(), called);
                }
            }
            events.resume();
        }
    }

    private static void stopIn(VirtualMachine machine, String type) {
        machine.classesByName(type).forEach(Reflections::stopIn);
        ClassPrepareRequest later = machine.eventRequestManager().createClassPrepareRequest();
        later.addClassFilter(type);
        later.enable();
    }

    private static void stopIn(ReferenceType type) {
        for (Method method : type.methods()) {
            if (WATCHED.get(type.name()).contains(method.name()) && method.isPublic() && !method.isNative()) {
                BreakpointRequest request = type.virtualMachine().eventRequestManager().createBreakpointRequest(method.location());
                request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
                request.enable();
            }
        }
    }

    private void note(ThreadReference thread, Method called) throws IncompatibleThreadStateException {
        List<StackFrame> stack = thread.frames(); // one answer of the program; there are thousands of stops
        if (stack.size() > 1 && callers.matcher(stack.get(1).location().declaringType().name()).matches()) {
            found.computeIfAbsent(accessed(stack.get(0), called), any -> new TreeSet<>()).add(called.name());
        }
    }

    private static String accessed(StackFrame frame, Method called) {
        ObjectReference self = frame.thisObject();
        if (called.name().contains("Resource")) {
            return "resource " + text(frame.getArgumentValues().get(0));
        } else if (self instanceof ClassObjectReference type) {
            return type.reflectedType().name();
        } else if (self != null && self.getValue(self.referenceType().fieldByName("clazz")) instanceof ClassObjectReference declaring) {
            return declaring.reflectedType().name();
        }
        return called.name() + " " + text(frame.getArgumentValues().get(0));
    }

    private static String text(Value value) {
        return value instanceof StringReference string ? string.value()
                : value instanceof ClassObjectReference type ? type.reflectedType().name() : String.valueOf(value);
    }
}
