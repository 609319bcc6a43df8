package dev.tutti.simulator.journal;

import java.nio.file.Path;

/** The file is not what was written into it; starting from it would lose what was promised to be kept. */
public final class JournalDamaged extends RuntimeException {

    private static final long serialVersionUID = 1L;

    JournalDamaged(Path file, long offset, String what) {
        super(file + " is damaged at byte " + offset + ": " + what
                + ". Put back a copy of the file, or move it away to begin with an empty cluster");
    }
}
