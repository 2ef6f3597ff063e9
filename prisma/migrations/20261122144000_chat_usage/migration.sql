-- What turns of /chat took from the model that answers: tokens as its provider counted them, cost in billionths of a USD.
ALTER TABLE "usage_hours"
    ADD COLUMN "chat_turns" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "chat_input_tokens" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "chat_output_tokens" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "chat_cached_input_tokens" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "chat_cost_nano_usd" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "chat_unpriced_turns" BIGINT NOT NULL DEFAULT 0;
