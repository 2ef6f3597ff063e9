-- Ends a statement from within one of its expressions, where Postgres has no other way to. The code is that of a
-- violated unique constraint: what must exist once would exist twice.
CREATE FUNCTION spillway_refuse(reason text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', reason USING ERRCODE = 'unique_violation';
END $$;
