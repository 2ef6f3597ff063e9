-- When the operator asked to erase a project. Its rows and bytes go in the background, and this row last.
ALTER TABLE "projects" ADD COLUMN "erased_at" TIMESTAMPTZ(3);
CREATE TRIGGER "audit_project_erased" AFTER UPDATE OF erased_at ON "projects" FOR EACH ROW
  WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL) EXECUTE FUNCTION spillway_audit('project.erased', 'name');

-- New events are kept from deletes by place (the migration of 20270105). Those of an erased project go with it.
CREATE OR REPLACE FUNCTION spillway_keep_new_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM projects WHERE id = OLD.project_id AND erased_at IS NOT NULL) THEN
    RETURN OLD;
  END IF;
  RETURN NULL;
END $$;
