package io.reactiveinformer.apiserver.internal.cel;

import com.google.common.net.InetAddresses;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.reactiveinformer.apiserver.internal.schema.Quantities;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The values of the types that Kubernetes adds to CEL, and what its functions do with them. */
final class Values {

    private static final Pattern AUTHORITY = Pattern.compile("(?:.*@)?((\\[[^]]*]|[^:]*)(?::(\\d*))?)");
    private static final Pattern CLAUSE = Pattern.compile("%(?:\\.(\\d+))?([a-zA-Z%])");

    private Values() {}

    record Quantity(BigDecimal number) implements Comparable<Quantity> {

        static Quantity of(String text) {
            require(Quantities.problem(text));
            return new Quantity(Quantities.value(text));
        }

        Quantity plus(BigDecimal other) {
            return new Quantity(number.add(other).stripTrailingZeros());
        }

        boolean isWhole() {
            return number.scale() <= 0 && number.toBigInteger().bitLength() < Long.SIZE;
        }

        long whole() {
            require(isWhole() ? "" : "cannot convert value to integer");
            return number.longValue();
        }

        @Override
        public int compareTo(Quantity other) {
            return number.compareTo(other.number);
        }
    }

    /** A block of addresses, such as {@code 10.0.0.0/8}. */
    record Block(InetAddress address, int bits) {

        static Optional<Block> parse(String text) {
            String[] parts = text.split("/", -1);
            if (parts.length != 2 || !isAddress(parts[0]) || !parts[1].matches("0|[1-9]\\d{0,2}")) {
                return Optional.empty();
            }
            var block = new Block(Values.address(parts[0]), Integer.parseInt(parts[1]));
            return block.bits <= block.address.getAddress().length * Byte.SIZE ? Optional.of(block) : Optional.empty();
        }

        static Block of(String text) {
            return parse(text).orElseThrow(() -> new IllegalArgumentException("network address parse error during conversion from string: "
                    + "netip.ParsePrefix(\"" + text + "\"): no '/'"));
        }

        Block masked() {
            byte[] bytes = address.getAddress();
            for (int i = 0; i < bytes.length; i++) {
                int kept = Math.min(Math.max(bits - i * Byte.SIZE, 0), Byte.SIZE);
                bytes[i] &= (byte) (0xff << (Byte.SIZE - kept));
            }
            var number = new BigInteger(1, bytes);
            return new Block(bytes.length > Integer.BYTES ? InetAddresses.fromIPv6BigInteger(number)
                    : InetAddresses.fromIPv4BigInteger(number), bits);
        }

        boolean contains(InetAddress other) {
            return other.getAddress().length == address.getAddress().length && new Block(other, bits).masked().equals(masked());
        }

        boolean contains(Block other) {
            return other.bits >= bits && contains(other.address);
        }

        @Override
        public String toString() {
            return InetAddresses.toAddrString(address) + "/" + bits;
        }
    }

    record Version(long major, long minor, long patch, List<String> pre) implements Comparable<Version> {

        private static final String NUMBER = "(0|[1-9]\\d{0,17})";
        private static final String PRE = "(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9A-Za-z-]*)";
        private static final Pattern FORM = Pattern.compile(NUMBER + "\\." + NUMBER + "\\." + NUMBER
                + "(?:-(" + PRE + "(?:\\." + PRE + ")*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?");

        /** @param lenient whether a {@code v} in front, zeros in front and missing parts are allowed */
        static Optional<Version> parse(String text, boolean lenient) {
            String form = text;
            if (lenient) {
                form = form.replaceFirst("^v", "").replaceAll("(^|(?<=^\\d{1,18}\\.)|(?<=^\\d{1,18}\\.\\d{1,18}\\.))0+(?=\\d)", "");
                form += form.matches("\\d+") ? ".0.0" : form.matches("\\d+\\.\\d+") ? ".0" : "";
            }
            Matcher parts = FORM.matcher(form);
            return parts.matches() ? Optional.of(new Version(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)),
                    Long.parseLong(parts.group(3)), parts.group(4) == null ? List.of() : List.of(parts.group(4).split("\\.", -1))))
                    : Optional.empty();
        }

        static Version of(String text, boolean lenient) {
            return parse(text, lenient).orElseThrow(() -> new IllegalArgumentException(
                    text.split("\\.", 3).length < 3 ? "No Major.Minor.Patch elements found" : "Invalid character(s) found in version"));
        }

        @Override
        public int compareTo(Version other) {
            int numbers = Arrays.compare(new long[] {major, minor, patch}, new long[] {other.major, other.minor, other.patch});
            if (numbers != 0 || pre.equals(other.pre) || pre.isEmpty() || other.pre.isEmpty()) {
                return numbers != 0 ? Integer.signum(numbers) : Boolean.compare(pre.isEmpty(), other.pre.isEmpty());
            }
            Iterator<String> others = other.pre.iterator();
            for (String part : pre) {
                int found = others.hasNext() ? compare(part, others.next()) : 1;
                if (found != 0) {
                    return found;
                }
            }
            return -1;
        }

        private static int compare(String one, String other) {
            boolean number = one.matches("\\d+");
            return number != other.matches("\\d+") ? number ? -1 : 1
                    : Integer.signum(number && one.length() != other.length() ? one.length() - other.length() : one.compareTo(other));
        }
    }

    private static void require(String problem) {
        if (!problem.isEmpty()) {
            throw new IllegalArgumentException(problem);
        }
    }

    static BigDecimal decimal(Long number) {
        return BigDecimal.valueOf(number);
    }

    static Object sum(Object one, Object other) {
        return one instanceof Duration duration ? duration.plus((Duration) other)
                : one instanceof Double number ? (Object) (number + (Double) other) : (Object) Math.addExact((Long) one, (Long) other);
    }

    static boolean isAddress(String text) {
        return InetAddresses.isInetAddress(text) && !text.contains("%") && !InetAddresses.isMappedIPv4Address(text);
    }

    static InetAddress address(String text) {
        require(isAddress(text) ? "" : "IP Address \"" + text + "\" parse error during conversion from string: ParseAddr(\"" + text
                + "\"): unable to parse IP");
        return InetAddresses.forString(text);
    }

    static boolean isGlobalUnicast(InetAddress address) {
        return !address.isAnyLocalAddress() && !address.isLoopbackAddress() && !address.isMulticastAddress()
                && !address.isLinkLocalAddress() && !address.getHostAddress().equals("255.255.255.255");
    }

    static Optional<URI> link(String text) {
        try {
            var link = new URI(text);
            return link.isAbsolute() || text.startsWith("/") ? Optional.of(link) : Optional.empty();
        } catch (URISyntaxException none) {
            return Optional.empty();
        }
    }

    /** @param part 1 for host and port, 2 for the host, 3 for the port */
    static String host(URI link, int part) {
        Matcher authority = AUTHORITY.matcher(Optional.ofNullable(link.getRawAuthority()).orElse(""));
        return authority.matches() && authority.group(part) != null ? authority.group(part) : "";
    }

    static Map<String, List<String>> query(URI link) {
        return new QueryStringDecoder(Optional.ofNullable(link.getRawQuery()).orElse(""), false).parameters();
    }

    static String format(String pattern, List<?> values) {
        Iterator<?> rest = values.iterator();
        return CLAUSE.matcher(pattern).replaceAll(clause -> {
            if (clause.group(2).equals("%")) {
                return "%";
            }
            require(rest.hasNext() ? "" : "index " + values.size() + " out of range");
            Object value = rest.next();
            return Matcher.quoteReplacement(switch (clause.group(2)) {
                case "s" -> shown(value);
                case "f", "e" -> String.format(Locale.ROOT, "%." + Optional.ofNullable(clause.group(1)).orElse("6") + clause.group(2),
                        ((Number) value).doubleValue());
                case "b" -> value instanceof Long number ? Long.toBinaryString(number) : value.equals(true) ? "1" : "0";
                case "x", "X", "o" -> String.format("%" + clause.group(2), value);
                case "d" -> value.toString();
                default -> throw new IllegalArgumentException(
                        "could not parse formatting clause: unrecognized formatting clause \"" + clause.group(2) + "\"");
            });
        });
    }

    private static String shown(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream().map(entry -> shown(entry.getKey()) + ": " + shown(entry.getValue())).sorted()
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        return value instanceof List<?> list ? list.stream().map(Values::shown).collect(Collectors.joining(", ", "[", "]"))
                : value instanceof Double number && number % 1 == 0 ? String.valueOf(number.longValue())
                : value instanceof Duration time ? decimal(time.toMillis()).movePointLeft(3).stripTrailingZeros().toPlainString() + "s"
                : value.toString();
    }
}
