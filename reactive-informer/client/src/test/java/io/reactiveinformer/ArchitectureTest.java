package io.reactiveinformer;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** The arrows between packages go one way: the way of the data, from bytes to controllers. ARCHITECTURE.md draws them. */
@AnalyzeClasses(packages = ArchitectureTest.BASE, importOptions = ArchitectureTest.TheLibrary.class)
public class ArchitectureTest {

    public static final String BASE = "io.reactiveinformer";

    /** A package may use those of smaller rows only, so two of the same row know nothing of each other. A line for each module. */
    static final Map<String, Integer> ROWS = Map.ofEntries(
            // client
            Map.entry("internal", -1), Map.entry("resource", 0), Map.entry("backoff", 0),
            Map.entry("config", 1), Map.entry("internal.codec", 1), Map.entry("transport", 2), Map.entry("client", 3),
            // readers
            Map.entry("internal.protobuf", 4), Map.entry("internal.readers", 5),
            // informer
            Map.entry("internal.informer", 4), Map.entry("internal.trie", 4), Map.entry("warmstart", 4),
            Map.entry("delta", 5), Map.entry("queue", 5), Map.entry("store", 6), Map.entry("internal.derived", 7), Map.entry("view", 8),
            Map.entry("source", 9), Map.entry("processor", 9), Map.entry("internal.warmstart", 9), Map.entry("reflector", 10), Map.entry("informer", 11),
            Map.entry("permissions", 12), Map.entry("json", 12),
            // operator
            Map.entry("internal.operator", 13), Map.entry("internal.lease", 14), Map.entry("recorder", 14), Map.entry("leader", 15),
            Map.entry("controller", 16), Map.entry("sharding", 17),
            // for applications that have it
            Map.entry("metrics", 18), Map.entry("kafka", 18), Map.entry("dashboard", 18), Map.entry("spring", 19));

    @ArchTest
    public static final ArchRule packagesUseOnlyRowsAboveTheirOwn = classes().should(useOnlyRowsAboveTheirOwn()).allowEmptyShould(true);

    @ArchTest
    public static final ArchRule packagesHaveNoCycles = slices().matching(BASE + ".(**)").should().beFreeOfCycles().allowEmptyShould(true);

    @ArchTest
    public static final ArchRule packagesSayWhatMayBeNull = classes().should(liveInANullMarkedPackage()).allowEmptyShould(true);

    @ArchTest
    public static final ArchRule implementationsStayBehindTheirInterface = noClasses().that().arePublic()
            .should().haveSimpleNameEndingWith("Impl")
            .because("interfaces carry their factories, and a good name says what is particular about an implementation")
            .allowEmptyShould(true);

    /** Otherwise an application without Spring or Micrometer on its class path fails to load a class. */
    @ArchTest
    public static final ArchRule optionalDependenciesStayInTheirPackage = noClasses()
            .that().resideOutsideOfPackages(BASE + ".metrics..", BASE + ".spring..")
            .should().dependOnClassesThat().resideInAnyPackage("io.micrometer..", "org.springframework..")
            .allowEmptyShould(true);

    /** Called by our own modules only, and useless without an object of an internal type, which no user has. */
    private static final Set<String> OURS = Set.of(
            "io.reactiveinformer.test.faults.Faults.around", "io.reactiveinformer.apiserver.ClusterObjects.of");

    @ArchTest
    public static final ArchRule usersNeedNotNameWhatIsInternal = members()
            .that(DescribedPredicate.describe("users can see", ArchitectureTest::isForUsers))
            .should(nameNoInternalType());

    private static ArchCondition<JavaClass> useOnlyRowsAboveTheirOwn() {
        return new ArchCondition<>("use only packages of rows above their own") {
            @Override
            public void check(JavaClass origin, ConditionEvents events) {
                Optional<Integer> row = rowOf(origin);
                if (row.isEmpty()) {
                    events.add(SimpleConditionEvent.violated(origin,
                            origin.getName() + " is in a package without a row: give it one in " + ArchitectureTest.class.getSimpleName()));
                    return;
                }
                for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    boolean elsewhere = isOurs(target) && !segmentOf(target).equals(segmentOf(origin)) && !isKitOfATest(origin, target);
                    if (elsewhere && rowOf(target).filter(targetRow -> targetRow < row.get()).isEmpty()) {
                        events.add(SimpleConditionEvent.violated(dependency, "%s (row %d) must not know %s: %s".formatted(
                                segmentOf(origin), row.get(), segmentOf(target), dependency.getDescription())));
                    }
                }
            }
        };
    }

    /** What a test of a Boot application uses knows the kit, which is there in tests only. */
    private static boolean isKitOfATest(JavaClass origin, JavaClass target) {
        return origin.getPackageName().equals(BASE + ".spring.test") && segmentOf(target).equals("test");
    }

    private static ArchCondition<JavaClass> liveInANullMarkedPackage() {
        return new ArchCondition<>("live in a package whose package-info.java says @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean marked = type.getPackage().tryGetPackageInfo().filter(info -> info.isAnnotatedWith(NullMarked.class)).isPresent();
                if (!marked) {
                    events.add(SimpleConditionEvent.violated(type, type.getPackageName() + " is not @NullMarked: " + type.getName()));
                }
            }
        };
    }

    private static boolean isOurs(JavaClass type) {
        return type.getPackageName().equals(BASE) || type.getPackageName().startsWith(BASE + ".");
    }

    private static Optional<Integer> rowOf(JavaClass type) {
        return Optional.ofNullable(ROWS.get(segmentOf(type)));
    }

    /** The first segment below the base package, or below {@code internal}: what is below that belongs to it. */
    private static String segmentOf(JavaClass type) {
        return type.getPackageName().substring(BASE.length()).replaceFirst("^\\.", "")
                .replaceFirst("^(internal\\.[^.]*|[^.]*)(\\..*)?$", "$1");
    }

    @ArchTest
    public static final ArchRule whatUsersSeeExtendsNothingInternal = classes()
            .that().arePublic().and(DescribedPredicate.describe("are for users", type -> !isInternal(type)))
            .should(new ArchCondition<>("extend and implement no internal type") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream())
                            .filter(above -> isOurs(above) && isInternal(above))
                            .forEach(above -> events.add(SimpleConditionEvent.violated(type, type.getName() + " is a " + above.getName())));
                }
            });

    private static ArchCondition<JavaMember> nameNoInternalType() {
        return new ArchCondition<>("name no type of an internal package") {
            @Override
            public void check(JavaMember member, ConditionEvents events) {
                named(member).flatMap(type -> type.getAllInvolvedRawTypes().stream()).filter(ArchitectureTest::isInternal).forEach(type ->
                        events.add(SimpleConditionEvent.violated(member, member.getFullName() + " names " + type.getName())));
            }
        };
    }

    private static boolean isForUsers(JavaMember member) {
        return isVisible(member.getModifiers())
                && !member.getModifiers().contains(JavaModifier.SYNTHETIC)
                && !isInternal(member.getOwner())
                && Stream.iterate(member.getOwner(), type -> type.getEnclosingClass().orElse(null))
                        .takeWhile(type -> type != null)
                        .allMatch(type -> isVisible(type.getModifiers()))
                && !OURS.contains(member.getOwner().getName() + "." + member.getName());
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static boolean isInternal(JavaClass type) {
        return (type.getPackageName() + ".").contains(".internal.");
    }

    private static Stream<JavaType> named(JavaMember member) {
        if (member instanceof JavaCodeUnit called) {
            return Stream.of(Stream.of(called.getReturnType()), called.getParameterTypes().stream(), called.getExceptionTypes().stream())
                    .flatMap(types -> types);
        }
        return Stream.of(((JavaField) member).getType());
    }

    /** The classes of the library: without tests, those of jars of tests too, and without the kit. */
    public static final class TheLibrary implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return new ImportOption.DoNotIncludeTests().includes(location) && !location.contains("-tests.jar")
                    && !location.contains("/io/reactiveinformer/test/") && !location.contains("/io/reactiveinformer/apiserver/");
        }
    }
}
