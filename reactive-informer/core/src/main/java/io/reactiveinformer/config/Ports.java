package io.reactiveinformer.config;

import java.net.URI;

/** What an address may say of a port: nothing, or one that there is. */
final class Ports {

    private static final int LAST = 65_535;

    private Ports() {}

    /** @throws ConfigException if {@code address} names a port that cannot be */
    static URI checked(URI address, String origin) {
        if (address.getPort() == 0 || address.getPort() > LAST) {
            throw new ConfigException(origin + ": expected a port from 1 to " + LAST + ", found " + address.getPort());
        }
        return address;
    }
}
