package io.reactiveinformer.apiserver.internal.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.kubernetes.client.proto.IntStr.IntOrString;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Resource.Quantity;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apiextensions;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Networking;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Storage;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Judged by what kubectl sent, and by the official client's generated classes. */
class ProtobufObjectsTest {

    /** The body of {@code kubectl create configmap foo --from-literal=a=b}, version 1.32. */
    private static final String SENT_BY_KUBECTL =
            "6b3873000a0f0a0276311209436f6e6669674d6170121d0a130a03666f6f12001a0022002a003200380042001206"
            + "0a01611201621a002200";

    @Test
    void readsWhatKubectlSent() {
        assertThat(ProtobufObjects.read(HexFormat.of().parseHex(SENT_BY_KUBECTL)))
                .isEqualTo(Json.read("""
                        {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "foo"}, "data": {"a": "b"}}"""));
    }

    @Test
    void writesWhatKubectlSent() {
        byte[] sent = HexFormat.of().parseHex(SENT_BY_KUBECTL);
        assertThat(ProtobufObjects.write(ProtobufObjects.read(sent))).isEqualTo(sent);
    }

    @Test
    void readsEveryKindOfValueAsGoWritesItInJson() {
        var container = V1.Container.newBuilder()
                .setName("c")
                .setStdin(false)
                .setResources(V1.ResourceRequirements.newBuilder().putLimits("cpu", Quantity.newBuilder().setString("500m").build()))
                .setSecurityContext(V1.SecurityContext.newBuilder().setPrivileged(false).setRunAsUser(0))
                .setLivenessProbe(V1.Probe.newBuilder()
                        .setPeriodSeconds(0)
                        .setHandler(V1.ProbeHandler.newBuilder().setHttpGet(V1.HTTPGetAction.newBuilder()
                                .setPath("/live")
                                .setPort(IntOrString.newBuilder().setType(1).setStrVal("http")))));
        var pod = V1.Pod.newBuilder()
                .setMetadata(Meta.ObjectMeta.newBuilder()
                        .setName("p")
                        .setGenerateName("")
                        .setCreationTimestamp(Meta.Time.getDefaultInstance())
                        .setDeletionTimestamp(Meta.Time.newBuilder().setSeconds(1_700_000_000).setNanos(5))
                        .putLabels("app", "")
                        .addFinalizers("keep/it")
                        .addFinalizers("and/this")
                        .addManagedFields(Meta.ManagedFieldsEntry.newBuilder()
                                .setManager("m")
                                .setFieldsV1(Meta.FieldsV1.newBuilder().setRaw(ByteString.copyFromUtf8("{\"f:spec\":{}}")))))
                .setSpec(V1.PodSpec.newBuilder()
                        .setNodeName("")
                        .setAutomountServiceAccountToken(false)
                        .addContainers(container)
                        .addVolumes(V1.Volume.newBuilder()
                                .setName("v")
                                .setVolumeSource(V1.VolumeSource.newBuilder().setEmptyDir(V1.EmptyDirVolumeSource.getDefaultInstance()))))
                .build();
        assertThat(ProtobufObjects.read(body("v1", "Pod", pod))).isEqualTo(Json.read("""
                {"apiVersion": "v1", "kind": "Pod",
                 "metadata": {"name": "p", "deletionTimestamp": "2023-11-14T22:13:20Z", "labels": {"app": ""}, "finalizers": ["keep/it", \
                "and/this"],
                  "managedFields": [{"manager": "m", "fieldsV1": {"f:spec": {}}}]},
                 "spec": {"automountServiceAccountToken": false,
                  "containers": [{"name": "c", "resources": {"limits": {"cpu": "500m"}}, "securityContext": {"privileged": false, \
                "runAsUser": 0},
                   "livenessProbe": {"httpGet": {"path": "/live", "port": "http"}}}],
                  "volumes": [{"name": "v", "emptyDir": {}}]}}""".replace("\n", "")));
    }

    @Test
    void readsBytesNumbersMicrosecondsAndSchemas() {
        var secret = V1.Secret.newBuilder().putData("key", ByteString.copyFrom(new byte[] {1, -1}));
        assertThat(ProtobufObjects.read(body("v1", "Secret", secret.build())).path("data").path("key").asString()).isEqualTo("Af8=");
        var lease = V1Coordination.Lease.newBuilder().setSpec(V1Coordination.LeaseSpec.newBuilder()
                .setLeaseDurationSeconds(-1)
                .setRenewTime(Meta.MicroTime.newBuilder().setSeconds(1_700_000_000).setNanos(5_000)));
        assertThat(ProtobufObjects.read(body("coordination.k8s.io/v1", "Lease", lease.build())).path("spec"))
                .isEqualTo(Json.read("{\"leaseDurationSeconds\": -1, \"renewTime\": \"2023-11-14T22:13:20.000005Z\"}"));
        var schema = V1Apiextensions.JSONSchemaProps.newBuilder()
                .setType("object")
                .setMaximum(2.5)
                .setXKubernetesPreserveUnknownFields(true)
                .setAdditionalProperties(V1Apiextensions.JSONSchemaPropsOrBool.newBuilder().setAllows(false))
                .setItems(V1Apiextensions.JSONSchemaPropsOrArray.newBuilder()
                        .setSchema(V1Apiextensions.JSONSchemaProps.newBuilder().setType("string")))
                .addEnum(V1Apiextensions.JSON.newBuilder().setRaw(ByteString.copyFromUtf8("\"a\"")));
        var definition = V1Apiextensions.CustomResourceDefinition.newBuilder()
                .setSpec(V1Apiextensions.CustomResourceDefinitionSpec.newBuilder()
                .addVersions(V1Apiextensions.CustomResourceDefinitionVersion.newBuilder()
                        .setSchema(V1Apiextensions.CustomResourceValidation.newBuilder().setOpenAPIV3Schema(schema))));
        ObjectNode read = ProtobufObjects.read(body("apiextensions.k8s.io/v1", "CustomResourceDefinition", definition.build()));
        assertThat(read.path("spec").path("versions").path(0).path("schema").path("openAPIV3Schema")).isEqualTo(Json.read("""
                {"type": "object", "maximum": 2.5, "x-kubernetes-preserve-unknown-fields": true, "additionalProperties": false,
                 "items": {"type": "string"}, "enum": ["a"]}"""));
    }

    @Test
    void writesWhatTheOfficialClassesAndItselfReadTheSame() throws InvalidProtocolBufferException {
        ObjectNode pod = (ObjectNode) Json.read("""
                {"apiVersion": "v1", "kind": "Pod",
                 "metadata": {"name": "p", "generation": 3, "creationTimestamp": "2023-11-14T22:13:20Z", "labels": {"app": ""}, \
                "finalizers": ["a", "b"],
                  "managedFields": [{"manager": "m", "fieldsV1": {"f:spec": {}}}]},
                 "spec": {"automountServiceAccountToken": false, "terminationGracePeriodSeconds": 0,
                  "containers": [{"name": "c", "resources": {"limits": {"cpu": "500m"}}, "securityContext": {"runAsUser": -1},
                   "livenessProbe": {"httpGet": {"path": "/live", "port": 8080}}, "readinessProbe": {"httpGet": {"port": "http"}}}],
                  "volumes": [{"name": "v", "emptyDir": {}}]}}""".replace("\n", ""));
        assertThat(ProtobufObjects.read(ProtobufObjects.write(pod))).isEqualTo(pod);
        V1.Pod official = V1.Pod.parseFrom(raw(ProtobufObjects.write(pod)));
        assertThat(official.getMetadata().getCreationTimestamp().getSeconds()).isEqualTo(1_700_000_000);
        assertThat(official.getSpec().getContainers(0).getSecurityContext().getRunAsUser()).isEqualTo(-1);
        assertThat(official.getSpec().getContainers(0).getLivenessProbe().getHandler().getHttpGet().getPort().getIntVal()).isEqualTo(8080);
        assertThat(official.getSpec().getVolumes(0).getVolumeSource().hasEmptyDir()).isTrue();
        ObjectNode list = Json.object().put("kind", "PodList").put("apiVersion", "v1");
        list.putObject("metadata").put("resourceVersion", "7");
        pod.remove(List.of("kind", "apiVersion"));
        list.putArray("items").add(pod).add(pod);
        V1.PodList pods = V1.PodList.parseFrom(raw(ProtobufObjects.write(list)));
        assertThat(pods.getMetadata().getResourceVersion()).isEqualTo("7");
        assertThat(pods.getItemsList()).containsExactly(official, official);
        assertThat(ProtobufObjects.read(ProtobufObjects.write(list))).isEqualTo(list);
    }

    @Test
    void writesBytesMicrosecondsNumbersAndSchemas() {
        for (String json : List.of(
                "{'apiVersion':'v1','kind':'Secret','data':{'key':'Af8='}}",
                "{'apiVersion':'coordination.k8s.io/v1','kind':'Lease','spec':{'leaseDurationSeconds':-1,"
                        + "'renewTime':'2023-11-14T22:13:20.000005Z'}}",
                "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',"
                        + "'spec':{'versions':[{'schema':{'openAPIV3Schema':{'type':'object','maximum':2.5,"
                        + "'x-kubernetes-preserve-unknown-fields':true,'additionalProperties':false,'items':{'type':'string'},"
                        + "'enum':['a'],'properties':{'o':{'additionalProperties':{'type':'integer'}}}}}}]}}",
                "{'apiVersion':'v1','kind':'Status','metadata':{},'status':'Failure','code':404}")) {
            ObjectNode object = (ObjectNode) Json.read(json.replace('\'', '"'));
            assertThat(ProtobufObjects.read(ProtobufObjects.write(object))).isEqualTo(object);
        }
    }

    private static byte[] raw(byte[] body) throws InvalidProtocolBufferException {
        return Runtime.Unknown.parseFrom(Arrays.copyOfRange(body, 4, body.length)).getRaw().toByteArray();
    }

    @Test
    void readsOptionsWhateverGroupTheyAreSentTo() {
        var options = Meta.DeleteOptions.newBuilder().setGracePeriodSeconds(0).setPropagationPolicy("Orphan").build();
        assertThat(ProtobufObjects.read(body("apps/v1", "DeleteOptions", options)))
                .isEqualTo(Json.read("""
                        {"kind": "DeleteOptions", "apiVersion": "apps/v1", "gracePeriodSeconds": 0, "propagationPolicy": "Orphan"}"""));
    }

    @Test
    void saysWhatIsWrongWithOtherBytes() {
        byte[] whole = HexFormat.of().parseHex(SENT_BY_KUBECTL);
        for (int at = 0; at < whole.length; at++) {
            byte[] part = Arrays.copyOf(whole, at);
            byte[] garbled = whole.clone();
            garbled[at] = (byte) 0xFF;
            for (byte[] body : List.of(part, garbled)) {
                Throwable failure = catchThrowable(() -> ProtobufObjects.read(body));
                assertThat(failure).as(HexFormat.of().formatHex(body)).satisfiesAnyOf(
                        none -> assertThat(none).isNull(), own -> assertThat(own).isInstanceOf(ProtobufException.class));
            }
        }
        assertThatThrownBy(() -> ProtobufObjects.read(Arrays.copyOf(whole, 20)))
                .hasMessageContaining("the bytes end in the middle of a field");
        assertThatThrownBy(() -> ProtobufObjects.read(body("example.com/v1", "Widget", V1.Pod.getDefaultInstance())))
                .hasMessage("no protocol buffers are known of example.com/v1.Widget");
    }

    @Test
    void theTableAgreesWithTheOfficialMessages() {
        int compared = 0;
        Map<String, FileDescriptor> files = new HashMap<>(Map.of(
                "v1", V1.getDescriptor(),
                "apps/v1", V1Apps.getDescriptor(),
                "batch/v1", V1Batch.getDescriptor(),
                "networking.k8s.io/v1", V1Networking.getDescriptor(),
                "policy/v1", V1Policy.getDescriptor(),
                "rbac.authorization.k8s.io/v1", V1Rbac.getDescriptor(),
                "storage.k8s.io/v1", V1Storage.getDescriptor(),
                "apiextensions.k8s.io/v1", V1Apiextensions.getDescriptor(),
                "coordination.k8s.io/v1", V1Coordination.getDescriptor(),
                "meta.k8s.io/v1", Meta.getDescriptor()));
        for (Map.Entry<String, FileDescriptor> file : files.entrySet()) {
            for (Descriptor message : file.getValue().getMessageTypes()) {
                Map<Integer, Field> fields = Messages.builtIn().find(file.getKey() + "." + message.getName()).orElse(null);
                if (fields != null) {
                    fields.values().forEach(field -> compare(message, field));
                    compared += fields.size();
                }
            }
        }
        assertThat(compared).isGreaterThan(1400);
    }

    private static void compare(Descriptor message, Field field) {
        FieldDescriptor official = message.findFieldByNumber(field.number());
        String what = message.getFullName() + " " + field;
        assertThat(official).as(what).isNotNull();
        assertThat(official.isMapField() ? Messages.Count.MAP : official.isRepeated() ? Messages.Count.LIST : Messages.Count.ONE)
                .as(what)
                .isEqualTo(field.count());
        if (!field.inline()) {
            assertThat(official.getName().replace("_", "")).as(what).isEqualToIgnoringCase(field.name().replaceAll("[$-]", ""));
        }
        FieldDescriptor element = official.isMapField() ? official.getMessageType().findFieldByName("value") : official;
        String expected = switch (element.getType()) {
            case STRING -> "string";
            case BYTES -> "bytes";
            case BOOL -> "bool";
            case INT32 -> "int32";
            case INT64 -> "int64";
            case DOUBLE -> "float64";
            case MESSAGE -> element.getMessageType().getName();
            default -> "none";
        };
        assertThat(field.type().substring(field.type().lastIndexOf('.') + 1)).as(what).isEqualTo(expected);
    }

    private static byte[] body(String apiVersion, String kind, MessageLite object) {
        byte[] unknown = Runtime.Unknown.newBuilder()
                .setTypeMeta(Runtime.TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
                .setRaw(object.toByteString())
                .build()
                .toByteArray();
        byte[] body = new byte[unknown.length + 4];
        System.arraycopy(new byte[] {'k', '8', 's', 0}, 0, body, 0, 4);
        System.arraycopy(unknown, 0, body, 4, unknown.length);
        return body;
    }
}
