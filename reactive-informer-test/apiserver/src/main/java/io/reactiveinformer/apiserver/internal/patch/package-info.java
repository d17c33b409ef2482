/** Patches as functions: a tree and a patch give a new tree. What a patch may do to an object on the server is not decided here. */
@NullMarked
package io.reactiveinformer.apiserver.internal.patch;

import org.jspecify.annotations.NullMarked;
