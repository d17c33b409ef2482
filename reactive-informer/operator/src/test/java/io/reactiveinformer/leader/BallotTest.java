package io.reactiveinformer.leader;

import io.reactiveinformer.leader.Candidate.Ballot;
import io.reactiveinformer.leader.Candidate.Ballot.Holder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class BallotTest {

    @ParameterizedTest
    @CsvSource({
            "false, NO_LEASE, true,  CREATE",
            "false, NO_LEASE, false, WAIT",
            "false, NOBODY,   true,  TAKE",
            "false, NOBODY,   false, TAKE",
            "false, US,       false, TAKE",
            "false, ANOTHER,  false, WAIT",
            "false, ANOTHER,  true,  TAKE",
            "true,  US,       false, RENEW",
            "true,  US,       true,  RENEW",
            "true,  NO_LEASE, true,  LOST",
            "true,  NO_LEASE, false, LOST",
            "true,  NOBODY,   true,  LOST",
            "true,  ANOTHER,  false, LOST",
            "true,  ANOTHER,  true,  LOST"})
    void decides(boolean leading, Holder holder, boolean expired, Ballot expected) {
        assertThat(Ballot.of(leading, holder, expired)).isEqualTo(expected);
    }
}
