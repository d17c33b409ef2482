package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.internal.admission.WebhookAdmission;
import io.reactiveinformer.apiserver.internal.admission.WebhookClient;
import io.reactiveinformer.apiserver.internal.cluster.Admission;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.CustomSchema;
import io.reactiveinformer.apiserver.internal.cluster.CustomType;
import io.reactiveinformer.apiserver.internal.cluster.FieldSelector;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.LabelSelector;
import io.reactiveinformer.apiserver.internal.cluster.ModelObjects;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.Selection;
import io.reactiveinformer.apiserver.internal.cluster.ShardRanges;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import io.reactiveinformer.apiserver.internal.cluster.Writes;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The API: determines the type and the operation of a request, and passes it to the class that answers it. */
public final class ApiHandler implements RequestHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);

    /** Subresources that need running containers or nodes, which this server does not have. */
    private static final Set<String> NOTHING_RUNS = Set.of("exec", "attach", "portforward", "proxy");

    private static final Map<String, String> DEPRECATED = Map.of("componentstatuses", "v1 ComponentStatus is deprecated in v1.19+",
            "endpoints", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");

    /** The annotation with the text of a pod's log. */
    private static final String POD_LOG = "simulation.reactiveinformer.io/log";

    private final Cluster cluster;
    private final Lists lists;
    private final Watches watches;
    private final Writes writes;
    private final ResourceDefinition pods;
    private final WebhookClient webhooks;
    private final Reviews reviews;
    private final Paths paths;
    private final boolean sharded;

    /** The API of this cluster; timers run on {@code scheduler}. */
    public ApiHandler(Cluster cluster, Writes writes, WebhookClient webhooks, Scheduler scheduler, WatchTimes times) {
        ProtobufObjects.prepare();
        ModelObjects.problem(Json.object());
        this.cluster = cluster;
        this.lists = new Lists(cluster, scheduler, times.cached());
        this.watches = new Watches(cluster, webhooks, scheduler, times);
        this.writes = writes;
        this.reviews = new Reviews(cluster);
        this.pods = cluster.types().find("", "pods").orElseThrow();
        Columns.of(pods, "v1"); // these tables are read from files, which no request may wait for
        this.webhooks = webhooks;
        this.paths = new Paths(cluster);
        this.sharded = times.sharded();
    }

    /** From now on, reviews of access are answered by these rules. They do not apply to requests: the caller of this sees to that. */
    public void reviewBy(Authorizer authorizer) {
        reviews.use(authorizer);
    }

    @Override
    public Mono<Answer> handle(ApiRequest request) {
        return Mono.defer(() -> answer(request))
                .onErrorResume(ApiFailure.class, failure -> Answer.of(failure, request.http()))
                .onErrorResume(failure -> {
                    LOG.error("{} could not be answered", request.http(), failure);
                    return Answer.of(ApiFailure.of(500, "InternalError", "Internal error occurred: " + failure), request.http());
                });
    }

    private Mono<Answer> answer(ApiRequest request) {
        if (!request.isResource()) {
            return Mono.just(paths.answer(request));
        }
        if (!cluster.types().groups().contains(request.group())) {
            return Mono.just(Paths.notFound());
        }
        ResourceDefinition type = cluster.types()
                .find(request.group(), request.plural())
                .filter(found -> found.versions().contains(request.version()))
                .orElse(null);
        if (type == null) {
            boolean customGroup = cluster.types().all().stream().anyMatch(any -> any.group().equals(request.group()) && any.isCustom());
            if (customGroup) {
                return Mono.just(Paths.notFound());
            }
            throw ApiFailure.unknownResource();
        }
        if (type.isCustom() && !fits(request, type)) {
            return Mono.just(Paths.notFound());
        }
        var admission = new WebhookAdmission(cluster, request, reviews.user(request));
        return webhooks.answered(Mono.defer(() -> answer(request, type, admission)))
                .onErrorResume(ApiFailure.class, failure -> Answer.of(failure, request.http()))
                .map(answer -> answer.withWarnings(admission.warnings()).withWarnings(warnings(type, request.version())));
    }

    private static List<String> warnings(ResourceDefinition type, String version) {
        CustomType.Version custom = type.custom(version);
        String deprecated = DEPRECATED.get(type.qualified());
        return deprecated != null ? List.of(deprecated) : custom == null || custom.warning().isEmpty() ? List.of() : List.of(custom.warning());
    }

    private Mono<Answer> answer(ApiRequest request, ResourceDefinition type, Admission admission) {
        checkVerb(request, type);
        Accepted accepted = Accepted.of(
                request.http().headers().first("Accept").orElse(""), type, request.version(), request.verb() == Verb.WATCH);
        Encoding encoding = accepted.encoding();
        Representation form =
                accepted.representation(type, request.version(), request.query().text("includeObject"), cluster::now);
        return switch (request.verb()) {
            case LIST -> lists.list(type, request.version(), selection(request, type), ListOptions.of(request), form)
                    .flatMap(encoding::whole).flatMap(answer -> Compression.apply(request.http(), answer));
            case WATCH -> {
                ListOptions options = ListOptions.of(request);
                yield watches.watch(type, request.version(), selection(request, type), options, form).map(encoding::stream)
                        .map(answer -> accepted.form() == Accepted.Form.METADATA_LIST ? answer.body(Flux.empty()) : answer);
            }
            case GET -> get(request, type, form).flatMap(encoding::whole).flatMap(answer -> Compression.apply(request.http(), answer));
            default -> {
                if (request.verb() == Verb.DELETE || request.verb() == Verb.DELETECOLLECTION) {
                    CustomSchema.prepare(type, cluster.list(type, Selection.namespace(request.namespace()), null).objects().stream()
                            .filter(object -> request.name() == null || object.name().equals(request.name())).toList(), request.version());
                }
                yield Mono.fromSupplier(() -> new WriteRequests(writes, pods, reviews, admission).answer(request, type, form))
                        .flatMap(encoding::whole);
            }
        };
    }

    /** Whether the path names a namespace where it must, and none where it must not. */
    private static boolean fits(ApiRequest request, ResourceDefinition type) {
        boolean acrossNamespaces = request.verb() == Verb.LIST || request.verb() == Verb.WATCH;
        return type.namespaced() ? request.namespace() != null || acrossNamespaces : request.namespace() == null;
    }

    private static void checkVerb(ApiRequest request, ResourceDefinition type) {
        if (!fits(request, type)) {
            throw type.namespaced() && request.name() == null ? ApiFailure.methodNotAllowed() : ApiFailure.unknownResource();
        }
        ResourceDefinition.Subresource subresource = type.subresources().get(request.subresource());
        if (!request.subresource().isEmpty() && subresource == null) {
            throw type.isCustom() && request.name() != null ? ApiFailure.notFound(type, request.name()) : ApiFailure.unknownResource();
        }
        var verbs = subresource == null ? type.verbs() : subresource.verbs();
        String verb = request.verb().toString();
        boolean wholeCollection = request.name() == null && (request.verb() == Verb.UPDATE || request.verb() == Verb.PATCH);
        if (request.verb() == Verb.WATCH && !verbs.contains(verb)) {
            throw ApiFailure.of(405, "MethodNotAllowed", "watch is not supported on resources of kind \"" + type.plural() + "\"",
                    Json.object().put("kind", type.plural()));
        }
        if (!verbs.contains(verb) || wholeCollection) {
            throw ApiFailure.methodNotAllowed();
        }
        if (NOTHING_RUNS.contains(request.subresource())) {
            throw ApiFailure.of(501, "NotImplemented", "nothing runs in the pods of this server: "
                    + request.subresource() + " is not possible");
        }
    }

    private Mono<Answer> get(ApiRequest request, ResourceDefinition type, Representation form) {
        String version = request.query().text("resourceVersion");
        if (version.matches("\\d{1,17}") && Long.parseLong(version) > cluster.version()) {
            return lists.impatient(version);
        }
        String name = request.name() == null ? "" : request.name();
        StoredObject object = cluster.get(type, request.namespace(), name);
        if (object == null) {
            throw ApiFailure.notFound(type, name);
        }
        return Mono.just(switch (request.subresource()) {
            case "log" -> Answer.text(200, Json.text(object.tree(), "metadata", "annotations", POD_LOG));
            case "scale" -> Answer.json(200, new Scales(type, request.version()).of(object.tree(type, request.version())));
            default -> WriteRequests.single(200, object, form);
        });
    }

    private Selection selection(ApiRequest request, ResourceDefinition type) {
        return new Selection(
                request.namespace(),
                LabelSelector.parse(request.query().text("labelSelector")),
                FieldSelector.parse(request.query().text("fieldSelector"), type),
                sharded ? ShardRanges.parse(request.query().text("shardSelector")) : ShardRanges.ANY);
    }
}
