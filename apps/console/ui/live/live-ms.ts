/** Refresh interval of a view without events. TanStack Query pauses while the tab is hidden. */
export const liveMs = 4_000;
