/** The server behind its facades. Nothing in this package or below it is for users: it may change in any release. */
@NullMarked
package io.reactiveinformer.apiserver.internal;

import org.jspecify.annotations.NullMarked;
