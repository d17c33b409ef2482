package io.reactiveinformer.guide.browsers;

import java.util.List;

/** The same with Spring MVC: a virtual thread for each browser that is written to, or, before Java 21, one of a pool. */
class PodConsoleOnServletsTest extends PodConsoleTest {

    @Override
    List<String> options() {
        return List.of("--spring.main.web-application-type=servlet", "--spring.threads.virtual.enabled=true",
                "--spring.task.execution.pool.core-size=200"); // without virtual threads: as many as slow browsers, or more
    }
}
