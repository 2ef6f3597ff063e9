/** The sign of Spillway: a basin, its crest, and what runs over it. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden>
      <path d="M2 8h8.5c4.5 0 4 9 9.5 9h2v4H2z" fill="var(--accent)" opacity="0.28" />
      <path d="M2 8h8.5c4.5 0 4 9 9.5 9h2" stroke="var(--accent)" strokeWidth="2.4" strokeLinecap="round" />
      <path d="M2 3.5h9" stroke="var(--accent)" strokeWidth="2.4" strokeLinecap="round" opacity="0.6" />
    </svg>
  );
}
