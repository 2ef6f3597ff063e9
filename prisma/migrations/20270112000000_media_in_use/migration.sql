-- A sweep looked each minute at all media of a project for those that nothing uses. Now it looks at those that are not
-- known to be in use: new ones, and those of which a use has ended since it looked.
ALTER TABLE "media" ADD COLUMN     "in_use" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "media_unsettled" ON "media"("project_id", "touched_at") WHERE NOT in_use;

CREATE FUNCTION spillway_release_media() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE released record;
BEGIN
  -- One by one in one order: two erasures that release the same media wait for each other and do not deadlock. Also of
  -- media that are marked as not in use: the sweep that is about to mark them as used holds their rows.
  FOR released IN SELECT DISTINCT project_id, sha256 FROM removed ORDER BY project_id, sha256 LOOP
    UPDATE media SET in_use = false WHERE project_id = released.project_id AND sha256 = released.sha256;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER "release_media" AFTER DELETE ON "media_uses" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION spillway_release_media();
