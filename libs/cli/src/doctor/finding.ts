/** What the doctor found at one place. */
export interface Finding {
  /** The place, as `redis`. */
  check: string;
  /** problem: something does not work; warning: it works and should be looked at; not_checked: nobody looked. */
  state: 'ok' | 'warning' | 'problem' | 'not_checked';
  /** What is there, or what is wrong. */
  finding: string;
  /** Why it matters. */
  why?: string;
  /** What to do. */
  next?: string;
}

export const ok = (check: string, finding: string): Finding => ({ check, state: 'ok', finding });

export const notChecked = (check: string, finding: string): Finding => ({
  check,
  state: 'not_checked',
  finding,
});

export const problem = (check: string, finding: string, why: string, next: string): Finding => ({
  check,
  state: 'problem',
  finding,
  why,
  next,
});

export const warning = (check: string, finding: string, why: string, next: string): Finding => ({
  check,
  state: 'warning',
  finding,
  why,
  next,
});
