import { rowsOf } from '../stack/database.js';

export const changesTable = 'checked_message_changes';

/** From now on the database itself records every change of a message row. For I11; before a run. */
export async function watchMessages(databaseUrl: string): Promise<void> {
  await rowsOf(databaseUrl, `CREATE TABLE ${changesTable} (uid uuid, seq int, what text)`);
  await rowsOf(
    databaseUrl,
    `CREATE FUNCTION note_message_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
      $$ BEGIN INSERT INTO ${changesTable} VALUES (OLD.thread_uid, OLD.seq, TG_OP); RETURN NULL; END $$`,
  );
  await rowsOf(
    databaseUrl,
    `CREATE TRIGGER note_message_change AFTER UPDATE OR DELETE ON messages
      FOR EACH ROW EXECUTE FUNCTION note_message_change()`,
  );
}
