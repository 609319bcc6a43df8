package dev.tutti.web;

/** Bodies of tests. */
final class Json {

    private Json() {}

    /** A good job of two pods with eight GPUs each. */
    static String job(String name) {
        return job(name, "");
    }

    /** The same with more fields, each ending with a comma. */
    static String job(String name, String more) {
        return """
                {"name": "%s", %s "podSets": [{"name": "worker", "count": 2, "gpusPerPod": 8,
                 "template": {"image": "pytorch/pytorch"}}]}""".formatted(name, more);
    }

    /** A job whose only pod set has these fields beside its template. */
    static String podSet(String fields) {
        return """
                {"name": "x", "podSets": [{%s "template": {"image": "pytorch/pytorch"}}]}""".formatted(fields);
    }
}
