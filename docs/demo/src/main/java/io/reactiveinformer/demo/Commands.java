package io.reactiveinformer.demo;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ResourceType;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs the subcommand of the arguments, or the default one, and explains invalid arguments. */
@Command(name = "informer", version = "reactive-informer 0.1.0-SNAPSHOT", mixinStandardHelpOptions = true,
        description = "Shows what an informer sees: the existing objects, then each change.",
        footer = {"", "Without a subcommand, watch is run. Each has its own --help: ./informer watch --help"})
final class Commands {

    private static final String DEFAULT = "watch";

    private Commands() {}

    /** Runs the command of {@code args}. Returns the exit code, and throws nothing. */
    static int run(String[] args, Surroundings surroundings) {
        CommandLine commands = all(surroundings);
        try {
            return commands.execute(withSubcommand(commands, args));
        } catch (UsageException misspelt) {
            return giveUp(misspelt, surroundings);
        }
    }

    static CommandLine all(Surroundings surroundings) {
        return new CommandLine(new Commands())
                .addSubcommand(new WatchCommand(surroundings))
                .addSubcommand(new ControllersCommand(surroundings))
                .addSubcommand(new DashboardCommand(surroundings))
                .addSubcommand(new RecordCommand(surroundings))
                .addSubcommand(completion())
                .registerConverter(Duration.class, new DurationConverter())
                .registerConverter(Format.class, Format::parse)
                .setOut(new PrintWriter(surroundings.out().writer(), true))
                .setParameterExceptionHandler((failure, wrong) -> refuse(failure, surroundings))
                .setExecutionExceptionHandler((failure, commandLine, parsed) -> giveUp(failure, surroundings));
    }

    private static CommandLine completion() {
        var command = new CommandLine(new AutoComplete.GenerateCompletion());
        command.getCommandSpec().name("completion");
        command.getCommandSpec().usageMessage().description("Prints completions for bash and zsh: source <(./informer completion)");
        return command;
    }

    /**
     * The arguments with the subcommand in front: the first argument that is not an option, if it names a subcommand, else the default one.
     * A resource of such a name must be written after {@code --}.
     */
    static String[] withSubcommand(CommandLine commands, String... args) {
        var rest = new ArrayList<>(Arrays.asList(args));
        if (!rest.isEmpty() && commands.getCommandSpec().findOption(rest.get(0)) != null) {
            return args; // --help and --version of the program
        }
        int first = firstNonOption(Objects.requireNonNull(commands.getSubcommands().get(DEFAULT)), rest);
        boolean named = first < rest.size() && commands.getSubcommands().containsKey(rest.get(first));
        if (!named && first < rest.size()) {
            refuseMisspelt(rest.get(first), commands.getSubcommands().keySet());
        }
        rest.add(0, named ? rest.remove(first) : DEFAULT);
        return rest.toArray(String[]::new);
    }

    /** A word that is no resource of the library's table, and nearly a subcommand, is taken for a misspelt one. */
    private static void refuseMisspelt(String word, Set<String> subcommands) {
        String hint = Nearest.hint(word, subcommands);
        if (!hint.isEmpty() && ResourceType.find("", null, word).isEmpty()) {
            throw new UsageException("there is no command '" + word + "'" + hint + " A resource of that name is written after two dashes: "
                    + "./informer -- " + word);
        }
    }

    private static int firstNonOption(CommandLine command, List<String> args) {
        for (int i = 0; i < args.size(); i++) {
            String arg = args.get(i);
            if (arg.equals("--")) {
                return args.size();
            }
            if (!arg.startsWith("-")) {
                return i;
            }
            OptionSpec option = command.getCommandSpec().findOption(arg);
            if (option != null && option.arity().min() > 0) {
                i++; // its value
            }
        }
        return args.size();
    }

    private static int refuse(ParameterException failure, Surroundings surroundings) {
        String hint = failure instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption()
                ? Nearest.hint(unmatched.getUnmatched().get(0), failure.getCommandLine().getCommandSpec().optionsMap().keySet())
                : "";
        String command = failure.getCommandLine().getParent() == null ? DEFAULT : failure.getCommandLine().getCommandName();
        surroundings.say("error: " + failure.getMessage() + hint + " (./informer " + command + " --help lists the options)");
        return ExitCode.USAGE;
    }

    private static int giveUp(Exception failure, Surroundings surroundings) {
        if (failure instanceof UsageException) {
            surroundings.say("error: " + failure.getMessage());
            return ExitCode.USAGE;
        }
        boolean plain = failure instanceof OutputFailedException || failure instanceof KubernetesException; // its message is complete
        surroundings.say("error: " + (plain ? failure.getMessage() : failure));
        return ExitCode.NOT_SYNCED;
    }
}
