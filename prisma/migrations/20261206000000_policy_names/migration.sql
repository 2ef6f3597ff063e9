-- Three keys of the policy have new names: in stored policies, in their locks, and in pending compaction requests.
SELECT set_config('spillway.project', '*', true);

-- Escapes such as \u0000 are valid JSON, but jsonb refuses them. So the backslashes of unicode escapes are replaced by a
-- placeholder before the cast, and put back afterwards. Escaped backslashes come first: \\u0000 is not an escape of NUL.
CREATE FUNCTION spillway_migration_protect(stored text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT replace(replace(stored, '\\', U&'\E0F0'), '\u', U&'\E0F1')::jsonb
$$;
CREATE FUNCTION spillway_migration_unprotect(policy jsonb) RETURNS text LANGUAGE sql AS $$
  SELECT replace(replace(policy::text, U&'\E0F1', '\u'), U&'\E0F0', '\\')
$$;

CREATE FUNCTION spillway_migration_renamed_key(target jsonb, old_name text, new_name text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT CASE WHEN target ? old_name THEN (target - old_name) || jsonb_build_object(new_name, target -> old_name) ELSE target END
$$;
CREATE FUNCTION spillway_migration_renamed_policy(policy jsonb) RETURNS jsonb LANGUAGE sql AS $$
  SELECT policy
    || CASE WHEN policy ? 'context' THEN jsonb_build_object('context', spillway_migration_renamed_key(
         spillway_migration_renamed_key(policy -> 'context', 'max_tokens', 'trigger_tokens'), 'output_reserve', 'response_reserve')) ELSE '{}' END
    || CASE WHEN policy ? 'outputs' THEN jsonb_build_object('outputs',
         spillway_migration_renamed_key(policy -> 'outputs', 'limit_tokens', 'threshold_tokens')) ELSE '{}' END
    || CASE WHEN policy ? 'locks' THEN jsonb_build_object('locks', (
         SELECT coalesce(jsonb_agg(CASE lock
           WHEN 'context.max_tokens' THEN 'context.trigger_tokens'
           WHEN 'context.output_reserve' THEN 'context.response_reserve'
           WHEN 'outputs.limit_tokens' THEN 'outputs.threshold_tokens'
           ELSE lock END ORDER BY place), '[]')
         FROM jsonb_array_elements_text(policy -> 'locks') WITH ORDINALITY AS locks (lock, place))) ELSE '{}' END
$$;

-- Nobody changed a setting, so neither the audit log nor the events get an entry.
ALTER TABLE "projects" DISABLE TRIGGER USER;
ALTER TABLE "threads" DISABLE TRIGGER USER;
UPDATE "projects" SET policy = spillway_migration_unprotect(spillway_migration_renamed_policy(spillway_migration_protect(policy)))
  WHERE policy ~ '(max_tokens|output_reserve|limit_tokens)';
UPDATE "threads" SET policy = spillway_migration_unprotect(spillway_migration_renamed_policy(spillway_migration_protect(policy)))
  WHERE policy ~ '(max_tokens|output_reserve|limit_tokens)';
UPDATE "threads" SET request = spillway_migration_unprotect(jsonb_set(spillway_migration_protect(request), '{policy}',
    spillway_migration_renamed_policy(spillway_migration_protect(request) -> 'policy')))
  WHERE request ~ '(max_tokens|output_reserve|limit_tokens)' AND jsonb_typeof(spillway_migration_protect(request) -> 'policy') = 'object';
ALTER TABLE "projects" ENABLE TRIGGER USER;
ALTER TABLE "threads" ENABLE TRIGGER USER;

DROP FUNCTION spillway_migration_renamed_policy(jsonb);
DROP FUNCTION spillway_migration_renamed_key(jsonb, text, text);
DROP FUNCTION spillway_migration_unprotect(jsonb);
DROP FUNCTION spillway_migration_protect(text);
