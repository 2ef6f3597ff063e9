-- What requests for contexts bring beside the messages, such as tools and another system prompt: part of live_tokens.
ALTER TABLE "threads" ADD COLUMN "request_tokens" INTEGER NOT NULL DEFAULT 0;
