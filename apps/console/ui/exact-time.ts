/** 2026-11-21 02:11:07 UTC: the same in every time zone. */
export const exactTime = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
