-- The format of messages that a caller posts and reads without naming one.
ALTER TABLE "threads" ADD COLUMN "format" TEXT;
