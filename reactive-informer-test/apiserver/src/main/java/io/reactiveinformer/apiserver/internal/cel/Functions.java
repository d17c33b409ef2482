package io.reactiveinformer.apiserver.internal.cel;

import com.google.common.net.InetAddresses;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.bundle.CelBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.runtime.CelFunctionBinding;
import io.reactiveinformer.apiserver.internal.cel.Values.Block;
import io.reactiveinformer.apiserver.internal.cel.Values.Quantity;
import io.reactiveinformer.apiserver.internal.cel.Values.Version;
import io.reactiveinformer.apiserver.internal.schema.Quantities;
import io.reactiveinformer.apiserver.internal.validation.Names;
import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The functions that Kubernetes adds to CEL. A name that begins with a dot is that of a method of its first argument.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-cel-libraries">Kubernetes CEL libraries</a>
 */
@SuppressWarnings("Immutable") // the functions have no state
final class Functions {

    private record Form(Function<String, List<String>> problems) {}

    private static final CelType BOOL = SimpleType.BOOL;
    private static final CelType INT = SimpleType.INT;
    private static final CelType STRING = SimpleType.STRING;
    private static final CelType ANY = TypeParamType.create("T");
    private static final CelType LIST = ListType.create(ANY);
    private static final CelType STRINGS = ListType.create(STRING);
    private static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");
    private static final CelType ADDRESS = OpaqueType.create("net.IP");
    private static final CelType BLOCK = OpaqueType.create("net.CIDR");
    private static final CelType LINK = OpaqueType.create("kubernetes.URL");
    private static final CelType VERSION = OpaqueType.create("kubernetes.Semver");
    private static final CelType FORM = OpaqueType.create("kubernetes.NamedFormat");
    private static final List<CelType> COMPARABLE = List.of(INT, SimpleType.UINT, SimpleType.DOUBLE, BOOL, SimpleType.DURATION,
            SimpleType.TIMESTAMP, STRING, SimpleType.BYTES);
    private static final List<CelType> SUMMABLE = List.of(INT, SimpleType.UINT, SimpleType.DOUBLE, SimpleType.DURATION);

    private static final Map<String, Function<String, List<String>>> FORMS = Map.ofEntries(
            Map.entry("dns1123Label", Names::label),
            Map.entry("dns1123Subdomain", Names::subdomain),
            Map.entry("dns1035Label", Names::oldLabel),
            Map.entry("dns1123LabelPrefix", text -> Names.label(prefix(text))),
            Map.entry("dns1123SubdomainPrefix", text -> Names.subdomain(prefix(text))),
            Map.entry("dns1035LabelPrefix", text -> Names.oldLabel(prefix(text))),
            Map.entry("qualifiedName", Names::key),
            Map.entry("labelValue", Names::labelValue),
            Map.entry("uri", text -> Values.link(text).isPresent() ? List.of() : List.of("invalid URI for request")),
            Map.entry("uuid", form("(?i)[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}", "does not match the UUID format")),
            Map.entry("byte", form("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?", "invalid base64")),
            Map.entry("date", form("\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])", "invalid date")),
            Map.entry("datetime", form("\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])[Tt ]([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?"
                    + "([Zz]|[+-]\\d\\d:\\d\\d)", "invalid datetime")));

    private final CelBuilder cel;

    private Functions(CelBuilder cel) {
        this.cel = cel;
    }

    static void addTo(CelBuilder cel) {
        var functions = new Functions(cel);
        functions.lists();
        functions.texts();
        functions.quantities();
        functions.addresses();
        functions.versions();
        functions.forms();
    }

    private static Function<String, List<String>> form(String regex, String otherwise) {
        return text -> text.matches(regex) ? List.of() : List.of(otherwise);
    }

    /** A name that another text will follow may end with a dash. */
    private static String prefix(String text) {
        return text.length() > 1 && text.endsWith("-") ? text.substring(0, text.length() - 2) + "a" : text;
    }

    private void lists() {
        sorted(".isSorted", BOOL, list -> list.equals(list.stream().sorted().toList()));
        sorted(".min", ANY, list -> Collections.min(notEmpty("min", list)));
        sorted(".max", ANY, list -> Collections.max(notEmpty("max", list)));
        each(".sum", ANY, SUMMABLE, list -> list.stream().map(Object.class::cast).reduce(Values::sum).orElse(0L));
        two(".indexOf", INT, LIST, ANY, (List<?> list, Object item) -> list.indexOf(item));
        two(".lastIndexOf", INT, LIST, ANY, (List<?> list, Object item) -> list.lastIndexOf(item));
    }

    private static <T> List<T> notEmpty(String function, List<T> list) {
        if (list.isEmpty()) {
            throw new IllegalArgumentException(function + " called on empty list");
        }
        return list;
    }

    private void texts() {
        two(".find", STRING, STRING, STRING, (String text, String regex) -> all(text, regex, 1).stream().findFirst().orElse(""));
        two(".findAll", STRINGS, STRING, STRING, (String text, String regex) -> all(text, regex, -1));
        add(".findAll", STRINGS, List.of(STRING, STRING, INT), all -> all((String) all[0], (String) all[1], (long) all[2]));
        two(".format", STRING, STRING, ListType.create(SimpleType.DYN), Values::format);
        one("url", LINK, STRING, (String text) -> Values.link(text).orElseThrow(() -> new IllegalArgumentException(
                "URL parse error during conversion from string: parse \"" + text + "\": invalid URI for request")));
        one("isURL", BOOL, STRING, (String text) -> Values.link(text).isPresent());
        one(".getScheme", STRING, LINK, (URI link) -> Optional.ofNullable(link.getScheme()).orElse(""));
        one(".getHost", STRING, LINK, (URI link) -> Values.host(link, 1));
        one(".getHostname", STRING, LINK, (URI link) -> Values.host(link, 2).replaceAll("[\\[\\]]", ""));
        one(".getPort", STRING, LINK, (URI link) -> Values.host(link, 3));
        one(".getEscapedPath", STRING, LINK, (URI link) -> Optional.ofNullable(link.getRawPath()).orElse(""));
        one(".getQuery", MapType.create(STRING, STRINGS), LINK, Values::query);
    }

    private static List<String> all(String text, String regex, long most) {
        List<String> found = new ArrayList<>();
        for (Matcher matcher = Pattern.compile(regex).matcher(text); found.size() != most && matcher.find(); ) {
            found.add(matcher.group());
        }
        return found;
    }

    private void quantities() {
        one("quantity", QUANTITY, STRING, Quantity::of);
        one("isQuantity", BOOL, STRING, (String text) -> Quantities.problem(text).isEmpty());
        one("sign", INT, QUANTITY, (Quantity quantity) -> quantity.number().signum());
        ordered(QUANTITY);
        one(".asApproximateFloat", SimpleType.DOUBLE, QUANTITY, (Quantity quantity) -> quantity.number().doubleValue());
        one(".asInteger", INT, QUANTITY, Quantity::whole);
        one(".isInteger", BOOL, QUANTITY, Quantity::isWhole);
        two(".add", QUANTITY, QUANTITY, QUANTITY, (Quantity one, Quantity other) -> one.plus(other.number()));
        two(".add", QUANTITY, QUANTITY, INT, (Quantity one, Long other) -> one.plus(Values.decimal(other)));
        two(".sub", QUANTITY, QUANTITY, QUANTITY, (Quantity one, Quantity other) -> one.plus(other.number().negate()));
        two(".sub", QUANTITY, QUANTITY, INT, (Quantity one, Long other) -> one.plus(Values.decimal(other).negate()));
    }

    private void addresses() {
        one("ip", ADDRESS, STRING, Values::address);
        one("isIP", BOOL, STRING, Values::isAddress);
        one("ip.isCanonical", BOOL, STRING, (String text) -> InetAddresses.toAddrString(Values.address(text)).equals(text));
        one("string", STRING, ADDRESS, (InetAddress address) -> InetAddresses.toAddrString(address));
        one(".family", INT, ADDRESS, (InetAddress address) -> address.getAddress().length == 4 ? 4 : 6);
        one(".isUnspecified", BOOL, ADDRESS, InetAddress::isAnyLocalAddress);
        one(".isLoopback", BOOL, ADDRESS, InetAddress::isLoopbackAddress);
        one(".isLinkLocalMulticast", BOOL, ADDRESS, InetAddress::isMCLinkLocal);
        one(".isLinkLocalUnicast", BOOL, ADDRESS, InetAddress::isLinkLocalAddress);
        one(".isGlobalUnicast", BOOL, ADDRESS, Values::isGlobalUnicast);
        one("cidr", BLOCK, STRING, Block::of);
        one("isCIDR", BOOL, STRING, (String text) -> Block.parse(text).isPresent());
        one("string", STRING, BLOCK, Block::toString);
        one(".ip", ADDRESS, BLOCK, Block::address);
        one(".prefixLength", INT, BLOCK, Block::bits);
        one(".masked", BLOCK, BLOCK, Block::masked);
        two(".containsIP", BOOL, BLOCK, STRING, (Block block, String text) -> block.contains(Values.address(text)));
        two(".containsIP", BOOL, BLOCK, ADDRESS, (Block block, InetAddress address) -> block.contains(address));
        two(".containsCIDR", BOOL, BLOCK, STRING, (Block block, String text) -> block.contains(Block.of(text)));
        two(".containsCIDR", BOOL, BLOCK, BLOCK, (Block block, Block other) -> block.contains(other));
    }

    private void versions() {
        one("semver", VERSION, STRING, (String text) -> Version.of(text, false));
        two("semver", VERSION, STRING, BOOL, Version::of);
        one("isSemver", BOOL, STRING, (String text) -> Version.parse(text, false).isPresent());
        two("isSemver", BOOL, STRING, BOOL, (String text, Boolean lenient) -> Version.parse(text, lenient).isPresent());
        ordered(VERSION);
        one(".major", INT, VERSION, Version::major);
        one(".minor", INT, VERSION, Version::minor);
        one(".patch", INT, VERSION, Version::patch);
    }

    private void forms() {
        one("format.named", OptionalType.create(FORM), STRING, (String name) -> Optional.ofNullable(FORMS.get(name)).map(Form::new));
        FORMS.forEach((name, problems) -> add("format." + name, FORM, List.of(), none -> new Form(problems)));
        two(".validate", OptionalType.create(STRINGS), FORM, STRING, (Form form, String text) ->
                Optional.of(form.problems().apply(text)).filter(problems -> !problems.isEmpty()));
    }

    private <T extends Comparable<T>> void ordered(CelType type) {
        two(".isGreaterThan", BOOL, type, type, (T one, T other) -> one.compareTo(other) > 0);
        two(".isLessThan", BOOL, type, type, (T one, T other) -> one.compareTo(other) < 0);
        two(".compareTo", INT, type, type, (T one, T other) -> one.compareTo(other));
    }

    private <T extends Comparable<T>> void sorted(String name, CelType result, Function<List<T>, Object> function) {
        each(name, result, COMPARABLE, function);
    }

    /** A function of lists of each of these types. One body serves all: which list it is cannot be told at run time. */
    @SuppressWarnings("unchecked")
    private <T> void each(String name, CelType result, List<CelType> types, Function<List<T>, Object> function) {
        for (CelType type : types) {
            declare(name, result.equals(ANY) ? type : result, List.of(ListType.create(type)));
        }
        cel.addFunctionBindings(CelFunctionBinding.from(name.substring(1), List.of(List.class), all -> function.apply((List<T>) all[0])));
    }

    @SuppressWarnings("unchecked")
    private <A> void one(String name, CelType result, CelType type, Function<A, Object> function) {
        add(name, result, List.of(type), all -> function.apply((A) all[0]));
    }

    @SuppressWarnings("unchecked")
    private <A, B> void two(String name, CelType result, CelType first, CelType second, BiFunction<A, B, Object> function) {
        add(name, result, List.of(first, second), all -> function.apply((A) all[0], (B) all[1]));
    }

    private void add(String name, CelType result, List<CelType> types, Function<Object[], Object> function) {
        String id = declare(name, result, types);
        List<Class<?>> classes = new ArrayList<>(Collections.nCopies(types.size(), Object.class));
        cel.addFunctionBindings(CelFunctionBinding.from(id, classes, all -> {
            Object value = function.apply(all);
            return value instanceof Integer number ? (Object) number.longValue() : value;
        }));
    }

    private String declare(String name, CelType result, List<CelType> types) {
        String function = name.startsWith(".") ? name.substring(1) : name;
        String id = name + types.stream().map(type -> "_" + type.name() + type.parameters()).reduce("", String::concat);
        cel.addFunctionDeclarations(CelFunctionDecl.newFunctionDeclaration(function, name.startsWith(".")
                ? CelOverloadDecl.newMemberOverload(id, result, types) : CelOverloadDecl.newGlobalOverload(id, result, types)));
        return id;
    }
}
