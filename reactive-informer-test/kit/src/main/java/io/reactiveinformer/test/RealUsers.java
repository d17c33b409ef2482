package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.server.Caller;
import io.reactiveinformer.apiserver.internal.server.CertifiedUser;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The users of a test on a real cluster: they are impersonated, and the cluster's own roles decide. What a rule of the test allows is
 * sent for the same user in the group that may do everything.
 */
record RealUsers(RealCluster cluster) {

    private static final Set<String> IMPERSONATION = Set.of("impersonate-user", "impersonate-group");
    private static final Set<String> CERTIFIED = Set.of(CertifiedUser.USER.toLowerCase(Locale.ROOT), CertifiedUser.GROUP.toLowerCase(Locale.ROOT));

    /**
     * The request as it is sent.
     *
     * @param issued whether its token is one of the test, which the cluster does not know
     * @param free whether it is sent for the kubeconfig's user
     * @param allowed whether a rule of the test allows it
     */
    ApiRequest passed(ApiRequest request, Caller caller, boolean issued, boolean free, boolean allowed) {
        Headers headers = Upstream.without(request.http().headers(), CERTIFIED);
        headers = issued ? Upstream.without(headers, Set.of("authorization")) : headers;
        if (!free && headers.first("Authorization").isEmpty()) {
            headers = Upstream.without(headers, IMPERSONATION).with("Impersonate-User", caller.user());
            for (String group : allowed ? List.of("system:masters") : caller.groups()) {
                headers = headers.with("Impersonate-Group", group);
            }
        }
        return ApiRequest.of(request.http().withHeaders(headers));
    }

    /** What this test cannot do on a real cluster. */
    String refusal() {
        return String.valueOf(cluster.skip("a user of the test impersonates another one").getMessage());
    }
}
