package io.reactiveinformer.config;

import java.net.URI;

/** Checks the port of an address: absent, or from 1 to 65535. */
final class Ports {

    private static final int LAST = 65_535;

    private Ports() {}

    /** @throws ConfigException if {@code address} names a port out of range */
    static URI checked(URI address, String origin) {
        if (address.getPort() == 0 || address.getPort() > LAST) {
            throw new ConfigException(origin + ": expected a port from 1 to " + LAST + ", found " + address.getPort());
        }
        return address;
    }
}
