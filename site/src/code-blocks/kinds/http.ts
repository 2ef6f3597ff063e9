import { jsonComplaints } from './json.js';
import { requestComplaints } from './requests.js';

/**
 * Checks a block of requests: a line with a method and a path, then a body behind it or below it. A paragraph without a
 * request is an answer; one that begins as JSON has to be JSON.
 */
export function httpComplaints(text: string): string[] {
  const paragraphs = text.split(/\n\s*\n/);
  const complaints = paragraphs.flatMap((paragraph) => {
    const [, method, target, after = ''] = /^([A-Z]+) (\/\S*)([\s\S]*)$/.exec(paragraph.trim()) ?? [];
    if (method === undefined) return /^\s*[[{]/.test(paragraph) ? jsonComplaints(paragraph) : [];
    const body = after.trim();
    return requestComplaints({ method, target: target!, ...(body === '' ? {} : { body }) });
  });
  return /^[A-Z]+ \//m.test(text) ? complaints : ['has no request', ...complaints];
}
