import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * Checks a directory that {@code release.sh} has filled against the rules of Maven Central, and against our own. Prints each violation; the exit code is 1
 * if there is any.
 *
 * <pre>java docs/release/CheckRelease.java DIRECTORY VERSION [--unsigned]</pre>
 */
public class CheckRelease {

    private static final String GROUP = "io.reactiveinformer";
    private static final List<String> DIGESTS = List.of("md5", "sha1");

    private final Path group;
    private final String version;
    private final boolean signed;
    private final List<String> violations = new ArrayList<>();

    private CheckRelease(Path directory, String version, boolean signed) {
        this.group = directory.resolve(GROUP.replace('.', '/'));
        this.version = version;
        this.signed = signed;
    }

    public static void main(String[] args) throws Exception {
        if (args.length < 2) {
            System.err.println("usage: java CheckRelease.java DIRECTORY VERSION [--unsigned]");
            System.exit(2);
        }
        var check = new CheckRelease(Path.of(args[0]), args[1], !List.of(args).contains("--unsigned"));
        Set<String> artifacts = check.run();
        check.violations.forEach(System.err::println);
        System.out.println(artifacts.size() + " artifacts, " + check.violations.size() + " violations: " + String.join(", ", artifacts));
        System.exit(check.violations.isEmpty() && !artifacts.isEmpty() ? 0 : 1);
    }

    private Set<String> run() throws Exception {
        Set<String> artifacts = names(group);
        for (String artifact : artifacts) {
            Path home = group.resolve(artifact);
            if (!names(home).equals(Set.of(version))) {
                violations.add(artifact + ": versions " + names(home) + ", expected only " + version);
                continue;
            }
            check(artifact, home.resolve(version));
        }
        if (artifacts.contains("reactive-informer-bom")) {
            Set<String> managed = managed(group.resolve("reactive-informer-bom").resolve(version));
            managed.add("reactive-informer-bom");
            require(managed.equals(artifacts), "reactive-informer-bom", "manages " + managed + ", but " + artifacts + " are published");
        }
        return artifacts;
    }

    private void check(String artifact, Path home) throws Exception {
        String base = artifact + "-" + version;
        Element pom = xml(home.resolve(base + ".pom"));
        checkPom(artifact, pom);
        List<String> files = new ArrayList<>(List.of(base + ".pom"));
        if ("pom".equals(text(pom, "packaging"))) {
            files.addAll(present(home, base + "-cyclonedx.json", base + "-cyclonedx.xml"));
        } else {
            files.addAll(List.of(base + ".jar", base + "-sources.jar", base + "-javadoc.jar", base + "-cyclonedx.json", base + "-cyclonedx.xml"));
            files.addAll(present(home, base + "-standalone.jar"));
            checkJars(artifact, home, base);
        }
        checkFiles(artifact, home, files);
    }

    private void checkPom(String artifact, Element pom) {
        for (String path : List.of("name", "description", "url", "licenses/license/name", "licenses/license/url", "developers/developer/name",
                "scm/connection", "scm/url")) {
            require(!text(pom, path).isBlank(), artifact, "the pom has no " + path);
        }
        require(text(pom, "groupId").equals(GROUP) && text(pom, "artifactId").equals(artifact) && text(pom, "version").equals(version),
                artifact, "the pom is of " + text(pom, "groupId") + ":" + text(pom, "artifactId") + ":" + text(pom, "version"));
        for (String forbidden : List.of("parent", "repositories", "pluginRepositories", "distributionManagement", "build", "profiles")) {
            require(children(pom, forbidden).isEmpty(), artifact, "the pom has a <" + forbidden + ">");
        }
        for (Element dependencies : children(pom, "dependencies")) {
            for (Element dependency : children(dependencies, "dependency")) {
                String name = text(dependency, "groupId") + ":" + text(dependency, "artifactId");
                String wanted = text(dependency, "version");
                require(!wanted.isBlank(), artifact, name + " has no version");
                require(!wanted.matches(".*[\\[(,].*"), artifact, name + " has a range of versions: " + wanted);
                require(!Set.of("test", "system").contains(text(dependency, "scope")), artifact, name + " has scope " + text(dependency, "scope"));
            }
        }
        require(!pom.getTextContent().contains("SNAPSHOT"), artifact, "the pom names a SNAPSHOT");
        require(!pom.getTextContent().contains("${"), artifact, "the pom has a property instead of a value");
    }

    private void checkJars(String artifact, Path home, String base) throws IOException {
        Set<String> classes = entries(home.resolve(base + ".jar"));
        Set<String> sources = entries(home.resolve(base + "-sources.jar"));
        Set<String> missing = classes.stream()
                .filter(name -> name.endsWith(".class") && !name.contains("$") && !name.endsWith("module-info.class"))
                .map(name -> name.replaceFirst("^META-INF/versions/[0-9]+/", "").replace(".class", ".java"))
                .filter(name -> !sources.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
        require(missing.isEmpty(), artifact, "no source of " + missing);
        boolean code = classes.stream().anyMatch(name -> name.endsWith(".class"));
        require(!code || entries(home.resolve(base + "-javadoc.jar")).contains("index.html"), artifact, "the Javadoc has no index.html");
        try (var jar = new JarFile(home.resolve(base + ".jar").toFile())) {
            boolean named = jar.getEntry("module-info.class") != null
                    || jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name") != null;
            require(named, artifact, "the jar has no module name");
        }
    }

    private void checkFiles(String artifact, Path home, List<String> expected) throws Exception {
        Set<String> files = names(home);
        for (String file : expected) {
            require(files.remove(file), artifact, file + " is missing");
            for (String digest : DIGESTS) {
                checkDigest(artifact, home, file, digest);
                files.remove(file + "." + digest);
            }
            boolean hasSignature = files.remove(file + ".asc");
            require(hasSignature || !signed, artifact, file + ".asc is missing");
            DIGESTS.forEach(digest -> files.remove(file + ".asc." + digest));
        }
        require(files.isEmpty(), artifact, "unexpected files " + files);
    }

    private void checkDigest(String artifact, Path home, String file, String digest) throws IOException, NoSuchAlgorithmException {
        Path path = home.resolve(file);
        Path noted = home.resolve(file + "." + digest);
        if (!Files.exists(path) || !Files.exists(noted)) {
            require(!Files.exists(path), artifact, noted.getFileName() + " is missing");
            return;
        }
        byte[] sum = MessageDigest.getInstance(digest.equals("sha1") ? "SHA-1" : "MD5").digest(Files.readAllBytes(path));
        require(Files.readString(noted).strip().equalsIgnoreCase(HexFormat.of().formatHex(sum)), artifact, noted.getFileName() + " is not that of the file");
    }

    private Set<String> managed(Path home) throws Exception {
        Element pom = xml(home.resolve("reactive-informer-bom-" + version + ".pom"));
        Set<String> names = new TreeSet<>();
        for (Element management : children(pom, "dependencyManagement")) {
            for (Element dependencies : children(management, "dependencies")) {
                children(dependencies, "dependency").forEach(dependency -> names.add(text(dependency, "artifactId")));
            }
        }
        return names;
    }

    private void require(boolean holds, String artifact, String violation) {
        if (!holds) {
            violations.add(artifact + ": " + violation);
        }
    }

    private static List<String> present(Path home, String... files) {
        return Stream.of(files).filter(file -> Files.exists(home.resolve(file))).toList();
    }

    /** The names in a directory, without Maven's own index of versions. */
    private static Set<String> names(Path directory) throws IOException {
        try (Stream<Path> paths = Files.list(directory)) {
            return paths.map(path -> path.getFileName().toString())
                    .filter(name -> !name.startsWith("maven-metadata"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Set<String> entries(Path jar) throws IOException {
        if (!Files.exists(jar)) {
            return Set.of(); // reported as a missing file
        }
        try (var file = new JarFile(jar.toFile())) {
            return file.stream().map(entry -> entry.getName()).collect(Collectors.toSet());
        }
    }

    private static Element xml(Path file) throws IOException, ParserConfigurationException, SAXException {
        try (InputStream in = Files.newInputStream(file)) {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in).getDocumentElement();
        }
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    /** The text at a path of elements, the first of each; empty if there is none. */
    private static String text(Element from, String path) {
        Element at = from;
        for (String step : path.split("/")) {
            List<Element> next = children(at, step);
            if (next.isEmpty()) {
                return "";
            }
            at = next.get(0);
        }
        return at.getTextContent().strip();
    }
}
