package io.reactiveinformer.internal;

/** Marks a source that itself proves that the server has the history since the version to resume from, so that the reflector need not. */
public interface ProvesItsPast {}
