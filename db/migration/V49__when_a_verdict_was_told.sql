-- When the words and numbers of a verdict were written last; since when its code is true is reason_since. Null: nobody knows.
ALTER TABLE jobs ADD COLUMN reason_told_at timestamptz;
