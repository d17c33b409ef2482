package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.reactiveinformer.races.OnlyOk;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** An election recognizes its own writes while it notes others. */
public class ClaimsRaces {

    private static final OffsetDateTime TIME = OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

    private ClaimsRaces() {}

    abstract static class Known {

        final Claims claims = new Claims("us");

        static V1LeaseSpec spec(int write) {
            return new V1LeaseSpec().holderIdentity("us").acquireTime(TIME.plusSeconds(write));
        }

        static String known(boolean has) {
            return OnlyOk.unless(!has, "our own write is another's");
        }
    }

    /** The table is full: the oldest write is forgotten, and no other. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class AddAgainstLook extends Known {

        private final V1LeaseSpec ours = spec(15);

        public AddAgainstLook() {
            for (int write = 0; write < 16; write++) {
                claims.add(TIME.plusSeconds(write));
            }
        }

        @Actor
        public void adds() {
            claims.add(TIME.plusSeconds(16));
            claims.add(TIME.plusSeconds(17));
        }

        @Actor
        public void looks(L_Result result) {
            result.r1 = known(claims.has(ours));
        }
    }

    /** What was won is ours before, while and after the earlier writes are forgotten. */
    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class WinAgainstLook extends Known {

        private final V1LeaseSpec ours = spec(1);

        public WinAgainstLook() {
            claims.add(TIME);
            claims.add(TIME.plusSeconds(1));
        }

        @Actor
        public void wins() {
            claims.won(TIME.plusSeconds(1));
        }

        @Actor
        public void looks(L_Result result) {
            result.r1 = known(claims.has(ours));
        }
    }

    @JCStressTest
    @JCStressMeta(OnlyOk.class)
    @State
    public static class AddAgainstAdd extends Known {

        @Actor
        public void one() {
            claims.add(TIME);
        }

        @Actor
        public void other() {
            claims.add(TIME.plusSeconds(1));
        }

        @Arbiter
        public void arbiter(L_Result result) {
            result.r1 = known(claims.has(spec(0)) && claims.has(spec(1)));
        }
    }
}
