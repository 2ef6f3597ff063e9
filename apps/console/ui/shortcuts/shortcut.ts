/** A key or a key sequence (`g t`), and its action. */
export interface Shortcut {
  /** As KeyboardEvent.key names them: `/`, `j`, `G`, `Enter`; two of them with a space between. */
  keys: string;
  /** For the sheet: `Next thread`. */
  does: string;
  /** Absent for keys that are handled elsewhere and only listed in the sheet. */
  run?: () => void;
}

/** Shortcuts of one page. The sheet and the key handler use the same entries. */
export interface ShortcutTable {
  title: string;
  entries: () => readonly Shortcut[];
}
