import java.io.File;
import java.util.Map;
import org.gradle.api.plugins.JavaPluginExtension;
import org.gradle.testfixtures.ProjectBuilder;

/**
 * Prints the class path that Gradle resolves for a {@code build.gradle}. For machines without a Gradle: the class path of this program is
 * the one that Maven Central has.
 *
 * <pre>java ClassPath.java PROJECT RELEASE_DIRECTORY VERSION GRADLE_USER_HOME</pre>
 */
public class ClassPath {

    public static void main(String[] args) {
        try {
            var home = new File(args[0]);
            var project = ProjectBuilder.builder().withProjectDir(home).withGradleUserHomeDir(new File(args[3])).build();
            project.getExtensions().getExtraProperties().set("releaseDirectory", args[1]);
            project.getExtensions().getExtraProperties().set("releaseVersion", args[2]);
            project.apply(Map.of("from", "build.gradle"));
            var main = project.getExtensions().getByType(JavaPluginExtension.class).getSourceSets().getByName("main");
            System.out.println(project.getConfigurations().getByName(main.getRuntimeClasspathConfigurationName()).getAsPath());
            System.exit(0); // Gradle leaves threads behind
        } catch (Throwable failure) {
            failure.printStackTrace();
            System.exit(1);
        }
    }
}
