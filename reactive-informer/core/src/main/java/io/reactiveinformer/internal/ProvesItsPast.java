package io.reactiveinformer.internal;

/** A source that shows by itself that the server has the history of the version that is continued from, so that no reflector has to. */
public interface ProvesItsPast {}
