-- When a message was written where it comes from. created_at stays the time at which it was recorded.
ALTER TABLE "messages" ADD COLUMN "sent_at" TIMESTAMPTZ(3);
