package io.reactiveinformer.benchmarks.real;

import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.reflector.ReflectorOptions.Consistency;

/** Ways to ask for the complete state. */
enum Asking {
    LIST("LIST at version 0") {
        @Override
        ReflectorOptions options() {
            return ReflectorOptions.defaults().withStreaming(false);
        }
    },
    RECENT("LIST, most recent") {
        @Override
        ReflectorOptions options() {
            return paged(1_000_000);
        }
    },
    PAGES_500("pages of 500, most recent") {
        @Override
        ReflectorOptions options() {
            return paged(500);
        }
    },
    PAGES_5000("pages of 5,000, most recent") {
        @Override
        ReflectorOptions options() {
            return paged(5_000);
        }
    },
    STREAM("streaming list") {
        @Override
        ReflectorOptions options() {
            return ReflectorOptions.defaults().withStreaming(true);
        }
    };

    final String title;

    Asking(String title) {
        this.title = title;
    }

    abstract ReflectorOptions options();

    private static ReflectorOptions paged(int size) {
        return ReflectorOptions.defaults().withStreaming(false).withConsistency(Consistency.MOST_RECENT).withPageSize(size);
    }
}
