package io.reactiveinformer.apiserver.internal.validation;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.StringNode;

/** The rules of what names a webhook: configurations of admission, and definitions that convert by one. */
final class WebhookRules {

    private static final String FORM = "; desired format: https://host[/path]";
    /** What Go does not parse: a wrong escape, or a colon before the first slash that does not end a scheme. */
    private static final String UNREADABLE = ".*%(?![0-9a-fA-F]{2}).*|(?![a-zA-Z][-+.a-zA-Z0-9]*:)[^/]*:.*";
    private static final int MOST_SECONDS = 30;

    private WebhookRules() {}

    static void webhooks(Value webhooks) {
        webhooks.unique("name");
        for (Value webhook : webhooks.items()) {
            webhook.at("name").invalidIf(webhook.at("name").require() && webhook.at("name").text().split("\\.", -1).length < 3,
                    "should be a domain with at least three segments separated by dots");
            Value seconds = webhook.at("timeoutSeconds");
            seconds.invalidIf(seconds.isSet() && (seconds.number() < 1 || seconds.number() > MOST_SECONDS),
                    "the timeout value must be between 1 and 30 seconds");
            client(webhook.at("clientConfig"));
            rules(webhook.at("rules"));
            Value versions = webhook.at("admissionReviewVersions");
            Set<String> seen = new HashSet<>();
            for (Value version : versions.items()) {
                version.invalid(Names.oldLabel(version.text()));
                version.invalidIf(!seen.add(version.text()), "duplicate version");
            }
            versions.invalidIf(!versions.isEmpty() && versions.items().stream().noneMatch(version -> version.has("v1")
                    || version.has("v1beta1")), "must include at least one of v1, v1beta1");
        }
    }

    /** The rules that tell which writes are asked about: an asterisk stands alone, and no name is empty. */
    private static void rules(Value rules) {
        for (Value rule : rules.items()) {
            for (String field : List.of("operations", "apiGroups", "apiVersions", "resources")) {
                List<Value> items = rule.at(field).items();
                rule.at(field).invalidIf(items.size() > 1 && items.stream().anyMatch(item -> item.has("*")),
                        "if '*' is present, must not specify other values");
                items.stream().filter(item -> item.isEmpty() && !field.equals("apiGroups") && !field.equals("operations"))
                        .forEach(item -> item.required(""));
            }
        }
    }

    static void policy(Value spec) {
        Value matched = spec.at("matchConstraints");
        matched.at("resourceRules").requiredIf(matched.isSet() && matched.at("resourceRules").isEmpty(), "");
        rules(matched.at("resourceRules"));
        rules(matched.at("excludeResourceRules"));
    }

    static void binding(Value spec) {
        Value parameters = spec.at("paramRef");
        boolean named = !parameters.at("name").isEmpty();
        boolean selected = parameters.at("selector").isSet();
        parameters.at("name").forbiddenIf(named && selected, "name and selector are mutually exclusive");
        parameters.requiredIf(parameters.isSet() && !named && !selected, "one of name or selector must be specified");
        Value actions = spec.at("validationActions");
        List<String> texts = actions.items().stream().map(Value::text).toList();
        Value.unique(actions.items().stream());
        actions.invalidIf(texts.contains("Deny") && texts.contains("Warn"),
                "must not contain both Deny and Warn (repeating the same validation failure information in the API response and"
                + " headers serves no purpose)");
    }

    static void conversion(Value conversion) {
        Value webhook = conversion.at("webhook");
        Value client = conversion.at("webhookClientConfig").with(webhook.at("clientConfig").node()); // as the server itself calls it
        conversion.at("strategy").oneOf("None", "Webhook");
        if (!conversion.at("strategy").has("Webhook")) {
            client.forbiddenIf(webhook.isSet(), "should not be set when strategy is not set to Webhook");
        } else if (!client.isSet()) {
            client.required("required when strategy is set to Webhook");
        } else {
            client(client);
        }
    }

    private static void client(Value client) {
        Value url = client.at("url");
        Value path = client.at("service", "path");
        if (url.isSet() == client.at("service").isSet()) {
            client.required("exactly one of url or service is required");
        } else if (url.text().matches(UNREADABLE)) {
            url.required("url must be a valid URL: parse " + url.node() + FORM);
        } else if (url.isSet()) {
            String[] parts = url.text().split("://", 2);
            url.with(StringNode.valueOf(parts.length < 2 ? "" : parts[0])).invalidIf(!parts[0].equals("https") || parts.length < 2,
                    "'https' is the only allowed URL scheme" + FORM);
            url.with(StringNode.valueOf("")).invalidIf(parts.length < 2 || parts[1].isEmpty() || parts[1].startsWith("/"),
                    "host must be specified" + FORM);
            if (url.text().contains("?")) {
                url.with(StringNode.valueOf(url.text().split("\\?", 2)[1])).invalid("query parameters are not permitted in the URL");
            }
        } else {
            client.at("service", "name").requiredIf(client.at("service", "namespace").isEmpty(), ""); // exchanged by the server itself
            client.at("service", "namespace").requiredIf(client.at("service", "name").isEmpty(), "");
            path.invalidIf(!path.isEmpty() && !path.text().startsWith("/"), "must start with a '/'");
        }
    }
}
