/** Patches as functions: a tree and a patch give a new tree. The server's rules for what a patch may change are not applied here. */
@NullMarked
package io.reactiveinformer.apiserver.internal.patch;

import org.jspecify.annotations.NullMarked;
