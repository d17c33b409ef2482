/**
 * Three controllers of Kubernetes, written with this library as examples: ReplicaSet, Deployment, Job. Each is one class: what it watches,
 * and what it does for a key. Decisions are in classes of their own, as functions of the observed state. The controllers behave as the real
 * ones wherever {@code kubectl} or another controller can see it, and document what they leave out.
 */
@NullMarked
package io.reactiveinformer.demo.controllers;

import org.jspecify.annotations.NullMarked;
