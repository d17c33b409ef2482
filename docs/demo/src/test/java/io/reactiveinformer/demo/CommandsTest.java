package io.reactiveinformer.demo;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CommandsTest {

    private final Console console = new Console();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --duration 5              | write it as 30s
            --duration                | --duration
            --count none              | --count
            --count 0                 | --count must be 1 or more
            --count -3                | --count must be 1 or more
            --page-size 0             | --page-size must be 1 or more
            -o yaml                   | expected text or json, was 'yaml'
            dashbord                  | no command 'dashbord'; did you mean dashboard?
            dashbord                  | ./informer -- dashbord
            -n a controler            | did you mean controllers?
            -n a -A                   | either -n NS or -A
            -n a/b                    | a/b
            -n a/b                    | for every namespace write -A
            -l a=b=c                  | a=b=c
            --cuont 3                 | did you mean --count?
            pods nodes                | nodes
            pods/web                  | write it as pods, deployments.apps
            watch watch watch         | watch
            --context a               | --kubeconfig FILE
            --token t                 | --server URL
            --server http://localhost:1 --kubeconfig f       | either --server URL or --kubeconfig
            --server http://localhost:1 --ca f --insecure    | either --ca FILE or --insecure
            --server http://localhost:1 --ca /no/such/file   | /no/such/file
            --server http://localhost:1 --context a          | --kubeconfig FILE
            --server :nonsense:                              | --server: expected an address
            --server http://me:s3cret@localhost:1            | without a name and a password
            --server me:s3cret@localhost:1                   | without a name and a password
            --server http://127.0.0.1:65536                  | --server: expected a port from 1 to 65535
            --server http://localhost:1 --ca /no/such/file   | --ca: there is no file
            --kubeconfig /no/such/file                       | /no/such/file
            --kubeconfig /no/such/file --token t             | --server URL
            """)
    void refusesWhatCannotBeMeantInOneLine(String args, String instead) {
        assertThat(console.run(args.split(" "))).isEqualTo(2);

        assertThat(console.err()).singleElement().asString().startsWith("error: ").contains(instead).doesNotContain("s3cret");
        assertThat(console.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"-n,'',for every namespace write -A", "--token,'bad\r\nX-Evil: 1',--token: expected text on one line"})
    void refusesValuesThatAShellMustQuote(String option, String value, String instead) {
        assertThat(console.run("--server", "http://localhost:1", option, value)).isEqualTo(2);

        assertThat(console.err()).singleElement().asString().startsWith("error: ").contains(instead)
                .doesNotContain("Scope", "ClusterConfig", "bad");
    }

    @Test
    void saysPlainlyThatTheOutputCannotBeWritten() {
        console.fillUpOut();

        assertThat(console.run("--count", "1")).isEqualTo(1);
        assertThat(console.err()).last().isEqualTo("error: cannot write the output: No space left on device");
    }

    @Test
    void tellsWhatThereIs() {
        assertThat(console.run("watch", "--help")).isZero();

        assertThat(console.out()).anyMatch(line -> line.contains("--field-selector"));
        assertThat(console.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', emptyValue = "", textBlock = """
            ''                                | watch
            pods                              | watch pods
            watch                             | watch
            watch pods -o json                | watch pods -o json
            -o json                           | watch -o json
            -o json pods                      | watch -o json pods
            -o json watch pods                | watch -o json pods
            -n watch pods                     | watch -n watch pods
            -nwatch --output=json watch nodes | watch -nwatch --output=json nodes
            --insecure watch nodes            | watch --insecure nodes
            watch watch                       | watch watch
            controllers --port 1              | controllers --port 1
            -- watch                          | watch -- watch
            --help                            | --help
            --version                         | --version
            """)
    void takesTheFirstArgumentForASubcommandIfItNamesOne(String args, String understood) {
        String[] split = args.isEmpty() ? new String[0] : args.split(" ");

        assertThat(Commands.withSubcommand(Commands.all(console.surroundings()), split)).isEqualTo(understood.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pods", "batches", "watch.example.com", "widgets", "-- dashbord"})
    void takesAnyOtherWordForAResource(String args) {
        assertThat(Commands.withSubcommand(Commands.all(console.surroundings()), args.split(" "))).startsWith("watch");
    }

    @Test
    void printsCompletionsForTheShell() {
        assertThat(console.run("completion")).isZero();

        assertThat(console.out()).first().asString().startsWith("#!/");
        assertThat(console.out()).anyMatch(line -> line.contains("dashboard")).anyMatch(line -> line.contains("--field-selector"))
                .anyMatch(line -> line.contains("json")).anyMatch(line -> line.matches("complete -F _complete_informer .*informer.*"));
    }

    @ParameterizedTest
    @CsvSource({"/home/me/.kube/config, --kubeconfig /home/me/.kube/config", "/a:/b, '--kubeconfig FILE, with one of its files'"})
    void saysThatAnotherClusterMayBeMeant(String kubeconfig, String instead) {
        var elsewhere = new Console(kubeconfig);

        assertThat(elsewhere.run("--count", "1")).isZero();
        assertThat(elsewhere.err()).anyMatch(line -> line.equals(
                "$KUBECONFIG is not used without --kubeconfig. For its cluster: " + instead));
    }

    @Test
    void takesAResourceThatIsNamedLikeASubcommandAfterTwoDashes() {
        List<String> parsed = Commands.all(console.surroundings()).parseArgs("watch", "--", "watch")
                .subcommand().matchedPositionals().get(0).stringValues();

        assertThat(parsed).containsExactly("watch");
    }
}
