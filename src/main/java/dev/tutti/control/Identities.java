package dev.tutti.control;

import java.util.Optional;

/** Who may call. Keys are stored as hashes only. */
public interface Identities {

    /** What a caller may do; each role may do all that the ones before it may. */
    enum Role {
        VIEWER,
        SUBMITTER,
        OPERATOR,
        ADMIN
    }

    /** A caller. */
    record Identity(String name, Role role) {}

    /** Who holds the key with this SHA-256 hash (hex, lower case); empty when nobody does or it has expired. */
    Optional<Identity> byKeyHash(String sha256);

    /** Makes sure that this key is known, with this name and role; used for the first key, from the environment. */
    void ensure(String name, Role role, String sha256);
}
