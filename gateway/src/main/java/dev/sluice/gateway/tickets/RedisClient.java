package dev.sluice.gateway.tickets;

/**
 * The client library for Redis. It lies beside the modules, on the class path, so that a gateway that does not need it
 * neither resolves nor loads any of it.
 */
final class RedisClient {
    private static final String ANY_CLASS = "redis.clients.jedis.Jedis";

    private RedisClient() {}

    /**
     * Requires the library.
     *
     * @throws TicketKeyException when it is not there
     */
    static void require() throws TicketKeyException {
        Module own = RedisClient.class.getModule();
        own.addReads(RedisClient.class.getClassLoader().getUnnamedModule());
        try {
            Class.forName(ANY_CLASS, false, RedisClient.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new TicketKeyException(
                    "the client for Redis (" + ANY_CLASS
                            + ") is not there; start by ./sluice, or put jedis on the class path",
                    e);
        }
    }
}
