/** 2026-11-21 02:11:07 UTC: the same in every time zone. */
export const exactTime = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;

/** A text of the API, in which times are as in JSON, with each as `exactTime` has it. */
export const withExactTimes = (text: string): string =>
  text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (at) => exactTime(at));
