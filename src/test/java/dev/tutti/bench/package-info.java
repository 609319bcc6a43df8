/**
 * How fast the engine decides. Not part of the build; by hand: {@code mvn test-compile spring-boot:test-run
 * -Dstart-class=org.openjdk.jmh.Main -Dspring-boot.run.arguments=AllocatorBench}.
 */
@NullMarked
package dev.tutti.bench;

import org.jspecify.annotations.NullMarked;
