package dev.tutti.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Small classes that break a rule on purpose, compiled when the test runs, so that no bad code lies about. */
final class CounterExample {

    private CounterExample() {}

    /** Compiles sources by qualified class name and reads the result for ArchUnit. */
    static JavaClasses compile(Path folder, Map<String, String> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Path output = Files.createDirectories(folder.resolve("classes"));
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach((name, text) -> files.add(new Source(name, text)));
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "-proc:none", "-d", output.toString(), "-classpath", System.getProperty("java.class.path"), "-nowarn");
        boolean compiled =
                compiler.getTask(messages, null, null, options, null, files).call();
        if (!compiled) {
            throw new IllegalStateException("the counter-example does not compile: " + messages);
        }
        return new ClassFileImporter().importPath(output);
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
