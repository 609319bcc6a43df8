package dev.tutti.model.job;

/**
 * What the pods of one set wait for: another set of the same job. It decides nothing about GPUs: they are held from the
 * placement of the whole job on.
 *
 * @param podSet name of the other set
 * @param when how far all of the other set's pods must have come
 */
public record StartAfter(String podSet, When when) {

    /** How far. */
    public enum When {
        /** Each runs, or once did. */
        RUNNING,
        /** Each has ended well. */
        SUCCEEDED
    }
}
