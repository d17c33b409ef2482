/**
 * CEL as the server has it: the rules of definitions ({@code x-kubernetes-validations}) and admission policies, with the functions that
 * Kubernetes adds. Nothing of it is loaded before the first rule. What is refused is told as a
 * {@link io.reactiveinformer.apiserver.internal.validation.Problem} or a text; when to ask is the caller's business.
 */
@NullMarked
package io.reactiveinformer.apiserver.internal.cel;

import org.jspecify.annotations.NullMarked;
