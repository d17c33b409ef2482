/** Controllers, leader election, events and sharding for operators. */
module io.reactiveinformer.operator {
    requires transitive io.reactiveinformer;
    requires static transitive org.jspecify;

    requires org.slf4j;

    exports io.reactiveinformer.controller;
    exports io.reactiveinformer.leader;
    exports io.reactiveinformer.recorder;
    exports io.reactiveinformer.sharding;

    exports io.reactiveinformer.internal.operator to io.reactiveinformer.spring.boot;
}
