'use client';

import { Kbd, Modal, Switch } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import classes from './shortcut-sheet.module.css';
import { currentTables, onTables } from './shortcut-tables';
import { switchSingleKeys, useSingleKeys } from './single-keys';

const none = [] as const;

/** All active shortcuts, page by page, with a switch for single-key ones. */
export function ShortcutSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const tables = useSyncExternalStore(onTables, currentTables, () => none);
  const on = useSingleKeys();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Keyboard shortcuts"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={classes.tables}>
        {opened &&
          tables.toReversed().map((table) => (
            <section key={table.title} aria-label={table.title}>
              <h3 className={classes.title}>{table.title}</h3>
              <dl className={classes.entries}>
                {table.entries().map(({ keys, does }) => (
                  <div key={keys} className={classes.entry}>
                    <dt>{does}</dt>
                    <dd>
                      {keys.split(' ').map((key, i) => (
                        <Kbd key={i} size="xs">
                          {key}
                        </Kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
      <Switch
        className={classes.switch}
        label="Single keys"
        description="If off, only Ctrl K, Enter, Escape and the arrows work. This browser remembers it."
        checked={on}
        onChange={(event) => switchSingleKeys(event.currentTarget.checked)}
      />
    </Modal>
  );
}
