-- Outputs that a client uploads and then names in a message, and outputs so long that their marks stand further apart.
ALTER TABLE "outputs" ADD COLUMN     "lines_per_mark" INTEGER NOT NULL DEFAULT 256,
ADD COLUMN     "stub_hash" BYTEA;
