package dev.tutti.model.job;

import dev.tutti.model.Check;
import dev.tutti.model.Labels;
import dev.tutti.model.Names;
import java.util.List;
import java.util.Map;

/**
 * What runs in each pod: a closed list of fields, not a raw pod spec, so that nothing a caller writes can reach the
 * host, another namespace or the scheduler's own fields.
 *
 * @param image container image, 1 to 512 characters
 * @param command entry point; empty means the image's own
 * @param args its arguments
 * @param env environment variables; {@code NVIDIA_*}, {@code CUDA_VISIBLE_DEVICES} and {@code TUTTI_*} are refused
 */
public record PodTemplate(String image, List<String> command, List<String> args, Map<String, String> env) {

    private static final int TEXTS = 256;
    private static final int TEXT_LENGTH = 16_384;

    public PodTemplate {
        command = List.copyOf(command);
        args = List.copyOf(args);
        env = Map.copyOf(env);
        Check check = new Check()
                .that(
                        Names.isFreeText(image, 512) && !image.contains(" "),
                        "template.image",
                        "is \"" + Labels.shown(image) + "\"; give an image name of 1 to 512 characters without spaces");
        checkTexts(check, command, "template.command");
        checkTexts(check, args, "template.args");
        checkEnv(check, env);
        check.orThrow();
    }

    private static void checkTexts(Check check, List<String> texts, String field) {
        check.atMost(texts.size(), TEXTS, "items", field);
        for (int i = 0; i < texts.size(); i++) {
            check.that(fits(texts.get(i)), field + "[" + i + "]", unfit(texts.get(i)));
        }
    }

    private static void checkEnv(Check check, Map<String, String> env) {
        check.atMost(env.size(), TEXTS, "variables", "template.env");
        env.forEach((name, value) -> check.that(
                        name.matches("[A-Za-z_][A-Za-z0-9_]{0,255}"),
                        "template.env." + Labels.shown(name),
                        "is no name of a variable; give up to 256 letters, digits and _, not beginning with a digit")
                .that(
                        !isReserved(name),
                        "template.env." + Labels.shown(name),
                        "is set by Tutti, as all of NVIDIA_*, TUTTI_* and CUDA_VISIBLE_DEVICES are; leave it out")
                .that(fits(value), "template.env." + Labels.shown(name), unfit(value)));
    }

    private static boolean isReserved(String name) {
        return name.startsWith("NVIDIA_") || name.startsWith("TUTTI_") || name.equals("CUDA_VISIBLE_DEVICES");
    }

    private static String unfit(String text) {
        return text.length() > TEXT_LENGTH
                ? "has " + text.length() + " characters; give at most " + TEXT_LENGTH
                : "holds a zero character or half a character; leave those out";
    }

    private static boolean fits(String text) {
        return text.length() <= TEXT_LENGTH && text.codePoints().noneMatch(PodTemplate::cannotBeStored);
    }

    /** A zero character, or half a surrogate pair: no database and no cluster takes them. */
    private static boolean cannotBeStored(int codePoint) {
        return codePoint == 0 || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
    }
}
