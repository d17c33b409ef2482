/** What the kit does by itself in each run of tests. Nothing in this package is for users: it may change in any release. */
@NullMarked
package io.reactiveinformer.test.internal;

import org.jspecify.annotations.NullMarked;
