-- Of several people in one thread, who asked for it. Null of what was found before, and of messages without a name.
-- AlterTable
ALTER TABLE "instructions" ADD COLUMN     "participant" TEXT;
