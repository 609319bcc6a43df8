package dev.tutti.control;

import java.util.Locale;
import java.util.Optional;

/** Who may call. Keys are stored as hashes only. */
public interface Identities {

    /** Name of whoever holds the key from the environment. No other key has it. */
    String FIRST_ADMINISTRATOR = "first-administrator";

    /** Name of whoever calls from this machine while the environment has no key. No key has it. */
    String LOCAL = "local";

    /** What a caller may do; each role may do all that the ones before it may. */
    enum Role {
        VIEWER,
        SUBMITTER,
        OPERATOR,
        ADMIN;

        /** The role's name on the wire, in lower case. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A caller. */
    record Identity(String name, Role role) {}

    /** Who holds the key with this SHA-256 hash (hex, lower case); empty when nobody does or it has expired. */
    Optional<Identity> byKeyHash(String sha256);

    /** Makes sure that this key is known, with this name and role; used for the first key, from the environment. */
    void ensure(String name, Role role, String sha256);
}
