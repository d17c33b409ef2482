package io.reactiveinformer.apiserver.internal.validation;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.StringNode;

/** The rules of what names a webhook: configurations of admission, and definitions that convert by one. */
final class WebhookRules {

    private static final String FORM = "; desired format: https://host[/path]";
    private static final int MOST_SECONDS = 30;

    private WebhookRules() {}

    static void webhooks(Value webhooks) {
        webhooks.unique("name");
        for (Value webhook : webhooks.items()) {
            if (webhook.at("name").text().split("\\.", -1).length < 3) {
                webhook.at("name").invalid("should be a domain with at least three segments separated by dots");
            }
            Value seconds = webhook.at("timeoutSeconds");
            if (seconds.isSet() && (seconds.number() < 1 || seconds.number() > MOST_SECONDS)) {
                seconds.invalid("the timeout value must be between 1 and 30 seconds");
            }
            client(webhook.at("clientConfig"));
        }
    }

    static void conversion(Value conversion) {
        Value webhook = conversion.at("webhook");
        Value client = conversion.at("webhookClientConfig").with(webhook.at("clientConfig").node()); // as the server itself calls it
        conversion.at("strategy").oneOf("None", "Webhook");
        if (!conversion.at("strategy").has("Webhook")) {
            if (webhook.isSet()) {
                client.forbidden("should not be set when strategy is not set to Webhook");
            }
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
        } else if (url.isSet()) {
            try {
                var address = new URI(url.text());
                if (!"https".equals(address.getScheme())) {
                    shown(url, address.getScheme()).invalid("'https' is the only allowed URL scheme" + FORM);
                }
                if (address.getHost() == null) {
                    shown(url, "").invalid("host must be specified" + FORM);
                }
                if (address.getRawQuery() != null) {
                    shown(url, address.getRawQuery()).invalid("query parameters are not permitted in the URL");
                }
            } catch (URISyntaxException failure) {
                url.required("url must be a valid URL: " + failure.getMessage() + FORM);
            }
        } else if (!path.isEmpty() && !path.text().startsWith("/")) {
            path.invalid("must start with a '/'");
        }
    }

    private static Value shown(Value url, @Nullable String part) {
        return url.with(StringNode.valueOf(part == null ? "" : part));
    }
}
