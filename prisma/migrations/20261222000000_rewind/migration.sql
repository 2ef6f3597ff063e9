-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "rewound_before" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "summaries" ADD COLUMN     "rewound_before" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "threads" ADD COLUMN     "rewound_to" INTEGER;

-- CreateTable
CREATE TABLE "rewinds" (
    "project_id" UUID NOT NULL,
    "thread_uid" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "to_seq" INTEGER NOT NULL,
    "before_seq" INTEGER NOT NULL,
    "messages" INTEGER NOT NULL,
    "key" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rewinds_pkey" PRIMARY KEY ("project_id","thread_uid","version")
);

-- CreateIndex
CREATE UNIQUE INDEX "rewinds_project_id_thread_uid_key_key" ON "rewinds"("project_id", "thread_uid", "key");

-- A rewound message frees its client id. The new index exists before the old one goes.
-- CreateIndex
CREATE UNIQUE INDEX "messages_client_id_thread_uid_project_id_rewound_before_key" ON "messages"("client_id", "thread_uid", "project_id", "rewound_before");

-- DropIndex
DROP INDEX "messages_client_id_thread_uid_project_id_key";


GRANT SELECT, INSERT, UPDATE, DELETE ON "rewinds" TO spillway_app;
ALTER TABLE "rewinds" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "rewinds" FORCE ROW LEVEL SECURITY;
CREATE POLICY "own_project" ON "rewinds" USING (project_id = (SELECT spillway_project()) OR (SELECT spillway_is_service()));

CREATE TRIGGER "audit_thread_rewound" AFTER INSERT ON "rewinds" FOR EACH ROW
  EXECUTE FUNCTION spillway_audit('thread.rewound', 'thread_uid', 'to_seq');

CREATE FUNCTION spillway_tell_rewound() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM spillway_tell(NEW.project_id, NEW.thread_uid, 'thread.rewound', json_build_object('to_seq', NEW.to_seq,
    'from_seq', NEW.before_seq - 1, 'messages', NEW.messages)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "event_rewound" AFTER INSERT ON "rewinds" FOR EACH ROW EXECUTE FUNCTION spillway_tell_rewound();
