package io.reactiveinformer.guide.kotlin

import io.kubernetes.client.openapi.models.V1ConfigMap
import io.kubernetes.client.openapi.models.V1ObjectMeta
import io.kubernetes.client.openapi.models.V1Pod
import io.reactiveinformer.client.KubernetesClient
import io.reactiveinformer.controller.Controller
import io.reactiveinformer.informer.Informer
import io.reactiveinformer.informer.InformerFactory
import io.reactiveinformer.queue.Result
import io.reactiveinformer.resource.FieldPath
import io.reactiveinformer.resource.ObjectKey
import io.reactiveinformer.resource.ResourceType
import io.reactiveinformer.test.FakeApiServer
import io.reactiveinformer.view.Change
import java.time.Duration
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.mapNotNull
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import kotlinx.coroutines.reactor.mono
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

data class PodLine(
    @param:FieldPath("metadata.name") val name: String,
    @param:FieldPath("spec.nodeName") val node: String?,
)

data class Widget(val apiVersion: String?, val kind: String?, val metadata: V1ObjectMeta, val spec: WidgetSpec)

data class WidgetSpec(val colour: String, val size: Int?)

/** What docs/guide/kotlin.md shows. */
@Timeout(60)
class KotlinGuideTest {

    private val server = FakeApiServer.create()
    private val client = KubernetesClient.over(server.transport())
    private val informers = InformerFactory.create(client)
    private val pods: Informer<V1Pod> = informers.of(ResourceType.of(V1Pod::class.java))

    @BeforeEach
    fun begin() {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: web-0, namespace: shop}, " +
            "spec: {nodeName: node-7, containers: [{name: c, image: i}]}}")
    }

    @AfterEach
    fun end() {
        informers.close()
        client.close()
        server.close()
    }

    private fun changes(): Flow<String> = pods.changes().asFlow()
        .buffer(Channel.RENDEZVOUS)                                 // or 64 are requested ahead, and not conflated any more
        .mapNotNull { change ->
            when (change) {
                is Change.Added -> "+ ${change.key()}"
                is Change.Updated -> "~ ${change.key()} ${change.before().status?.phase} -> ${change.after().status?.phase}"
                is Change.Deleted -> "- ${change.key()}, ${change.cause()}"
                is Change.Synced -> null
            }
        }

    @Test
    fun `a flow of changes`() = runBlocking<Unit> {
        informers.start()
        pods.synced(Duration.ofSeconds(30)).awaitSingleOrNull()
        assertThat(changes().first()).isEqualTo("+ shop/web-0")
        val node: String? = pods.lister().get(ObjectKey.of("shop", "web-0")).orElse(null)?.spec?.nodeName
        assertThat(node).isEqualTo("node-7")
    }

    @Test
    fun `a data class instead of the pod`() = runBlocking<Unit> {
        val lines: Informer<PodLine> = informers.of(ResourceType.of(V1Pod::class.java).`as`(PodLine::class.java))
        informers.start()
        assertThat(withTimeout(20_000) { lines.objects().asFlow().first() }).isEqualTo(PodLine("web-0", "node-7"))
    }

    @Test
    fun `a data class of a custom type`() = runBlocking<Unit> {
        server.objects().create(
            """
            {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.example.com},
             spec: {group: example.com, scope: Namespaced, names: {plural: widgets, singular: widget, kind: Widget},
              versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object,
               properties: {spec: {type: object, properties: {colour: {type: string}, size: {type: integer}}}}}}}]}}
            """.trimIndent(),
        )
        server.objects().create("{apiVersion: example.com/v1, kind: Widget, metadata: {name: w, namespace: shop}, spec: {colour: red}}")
        val type = ResourceType.of("example.com", "v1", "widgets", ResourceType.Scope.NAMESPACED, Widget::class.java)
        val widget = client.resources(type).get(ObjectKey.of("shop", "w")).awaitSingle()
        assertThat(widget.spec).isEqualTo(WidgetSpec("red", null))
    }

    @Test
    fun `a reconciler that suspends`() {
        val seen = LinkedBlockingQueue<Pair<ObjectKey, String?>>()
        val notes = informers.of(ResourceType.of(V1ConfigMap::class.java))
        val controller = Controller.named("notes")
            .reconciles(ResourceType.of(V1ConfigMap::class.java), notes)
            .reconcile { request ->
                mono {
                    val note = client.resources(ResourceType.of(V1ConfigMap::class.java)).get(request.key()).awaitSingle()
                    seen.add(request.key() to note.data?.get("text"))
                    Result.done()
                }
            }
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: note, namespace: shop}, data: {text: hello}}")
        controller.start()
        informers.start()
        assertThat(seen.poll(20, TimeUnit.SECONDS)).isEqualTo(ObjectKey.of("shop", "note") to "hello")
        controller.close()
    }
}
