-- Results count nowhere for more reasons than values of their own.
ALTER TABLE "results" RENAME COLUMN "has_values" TO "is_uncounted";
