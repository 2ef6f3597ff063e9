-- Posted content that the text alone cannot give back is stored beside it. Rows from before keep it in "original".
ALTER TABLE "outputs" ADD COLUMN     "original_bytes" BIGINT,
ADD COLUMN     "original_key" TEXT,
ADD COLUMN     "original_sha256" TEXT;

CREATE OR REPLACE FUNCTION spillway_count_output_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before bigint := CASE WHEN TG_OP <> 'INSERT' AND OLD.state = 'ready' THEN OLD.bytes + coalesce(OLD.original_bytes, 0) ELSE 0 END;
  after bigint := CASE WHEN TG_OP <> 'DELETE' AND NEW.state = 'ready' THEN NEW.bytes + coalesce(NEW.original_bytes, 0) ELSE 0 END;
BEGIN
  IF before <> after THEN
    INSERT INTO output_bytes (project_id, bytes)
    VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.project_id ELSE NEW.project_id END, after - before);
  END IF;
  RETURN NULL;
END $$;
