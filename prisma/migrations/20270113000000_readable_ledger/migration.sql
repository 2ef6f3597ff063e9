-- API and workers ask whether the migrations that they need were applied. Prisma compares migrations in a database that
-- has no ledger.
DO $$ BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN
    GRANT SELECT (migration_name, finished_at, rolled_back_at) ON _prisma_migrations TO spillway_app;
  END IF;
END $$;
