package dev.tutti.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Checks of single source files; each returns what is wrong, with file and line, and nothing when all is well. */
final class Tidy {

    static final int MAX_FILE_LINES = 400;
    static final int MAX_METHOD_LINES = 60;

    private static final Pattern TEST_METHOD =
            Pattern.compile("(?m)^\\s*@(Test|ParameterizedTest|RepeatedTest|TestFactory|Property|Example)\\b");
    private static final Pattern ABSTRACT_TYPE = Pattern.compile("(?m)^(public )?(abstract class|interface) ");
    private static final Pattern CONSOLE = Pattern.compile("System\\s*\\.\\s*(out|err)\\b");
    // Written apart, so that this file may stand beside its own rule.
    private static final Pattern LEFTOVER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b|@Dis" + "abled\\b");
    private static final Pattern MACHINE =
            Pattern.compile("(?<![\\w.])(/wo" + "rk/|/ro" + "ot/|/tm" + "p/wt|/ho" + "me/[a-z])");
    private static final Pattern REGISTRY = Pattern.compile("\\b(repo1?\\.ma" + "ven\\.(org|apache\\.org)|"
            + "registry\\.np" + "mjs\\.org|py" + "pi\\.org|files\\.python" + "hosted\\.org|proxy\\.go" + "lang\\.org|"
            + "deb\\.de" + "bian\\.org|(registry-1\\.|index\\.)?dock" + "er\\.io|gh" + "cr\\.io|qu" + "ay\\.io|gc"
            + "r\\.io|registry\\.k8" + "s\\.io|nv" + "cr\\.io)\\b");

    private Tidy() {}

    static List<String> tooLongFile(String path, String text) {
        long lines = text.lines().count();
        return lines <= MAX_FILE_LINES ? List.of() : List.of(path + ": " + lines + " lines");
    }

    /** One compiler for all files: a new one for each would open the JDK's own modules anew and cost a minute in all. */
    static List<String> tooLongMethods(Map<String, String> texts) {
        List<String> found = new ArrayList<>();
        List<JavaFileObject> sources = new ArrayList<>();
        texts.forEach((path, text) -> sources.add(source(path, text)));
        JavacTask task = (JavacTask)
                ToolProvider.getSystemJavaCompiler().getTask(null, null, d -> {}, List.of("-proc:none"), null, sources);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        try {
            for (CompilationUnitTree unit : task.parse()) {
                String path = unit.getSourceFile().toUri().getPath().substring(1);
                unit.accept(new MethodLengths(path, unit, positions, found), null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /** A class with tests whose name does not end in Test is skipped by the build without a word. */
    static List<String> testThatNeverRuns(String path, String text) {
        boolean named = path.endsWith("Test.java");
        boolean inherited = ABSTRACT_TYPE.matcher(text).find();
        return named || inherited || !TEST_METHOD.matcher(text).find()
                ? List.of()
                : List.of(path + " has tests that never run");
    }

    static List<String> console(String path, String text) {
        boolean speaker = path.contains("/boot/cli/") || path.matches(".*/boot/(.*/)?\\w*Banner\\.java");
        return speaker ? List.of() : matches(path, text, CONSOLE);
    }

    static List<String> leftovers(String path, String text) {
        return matches(path, text, LEFTOVER);
    }

    static List<String> machinePaths(String path, String text) {
        return matches(path, text, MACHINE);
    }

    static List<String> registryHosts(String path, String text) {
        return matches(path, text, REGISTRY);
    }

    private static List<String> matches(String path, String text, Pattern pattern) {
        List<String> found = new ArrayList<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            Matcher matcher = pattern.matcher(line);
            if (matcher.find()) {
                found.add(path + ":" + number + ": " + matcher.group());
            }
        }
        return found;
    }

    private static JavaFileObject source(String path, String text) {
        return new SimpleJavaFileObject(URI.create("string:///" + path), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }

    private static final class MethodLengths extends TreeScanner<Void, Void> {
        private final String path;
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> found;

        MethodLengths(String path, CompilationUnitTree unit, SourcePositions positions, List<String> found) {
            this.path = path;
            this.unit = unit;
            this.positions = positions;
            this.found = found;
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            LineMap map = unit.getLineMap();
            long start = positions.getStartPosition(unit, method);
            long end = positions.getEndPosition(unit, method);
            if (start >= 0 && end >= 0) {
                long lines = map.getLineNumber(end) - map.getLineNumber(start) + 1;
                if (lines > MAX_METHOD_LINES) {
                    found.add(path + ":" + map.getLineNumber(start) + ": " + method.getName() + " has " + lines
                            + " lines");
                }
            }
            return super.visitMethod(method, null);
        }
    }
}
