/**
 * Three controllers of Kubernetes, written with this library as examples: ReplicaSet, Deployment, Job. Each is one class that says what it
 * follows and what it does for a key; what is a decision rather than a request stands beside it, as a function of what is there. They keep
 * to what the real ones do where {@code kubectl} or another controller can see it, and say what they leave out.
 */
@NullMarked
package io.reactiveinformer.demo.controllers;

import org.jspecify.annotations.NullMarked;
