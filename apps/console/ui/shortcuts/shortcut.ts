/** A key, or keys one after the other (`g t`), and what pressing them does. */
export interface Shortcut {
  /** As KeyboardEvent.key names them: `/`, `j`, `G`, `Enter`; two of them with a space between. */
  keys: string;
  /** For the sheet: `Next thread`. */
  does: string;
  /** Absent for keys that something else handles and the sheet lists all the same. */
  run?: () => void;
}

/** Shortcuts of one place. The sheet shows them under its title, and the key handler works from the same entries. */
export interface ShortcutTable {
  title: string;
  entries: () => readonly Shortcut[];
}
