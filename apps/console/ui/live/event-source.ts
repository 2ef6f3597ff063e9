import type { Schemas } from '@spillway/client';
import { eventTypes } from './event-types';

export type LiveEvent = Schemas['Event'];

/** How fresh a view is. */
export type LiveState = 'connecting' | 'live' | 'polling' | 'paused';

interface Listener {
  onEvent: (event: LiveEvent) => void;
  /** `resumed`: no event was missed since the last time it was live. */
  onState: (state: LiveState, resumed: boolean) => void;
}

/** How long the first connection may take before views refresh by interval. */
const patienceMs = 3_000;
const firstRetryMs = 500;
const maxRetryMs = 8_000;
/**
 * A stream whose last event and last start are older than this is not resumed but started anew, and the page reads
 * everything again: events are removed after seven days, and no event tells that a database was restored to an older
 * state. An hour covers most outages and hidden tabs, after which the page reads only what changed.
 */
const maxGapMs = 3_600_000;

/**
 * The tab's one stream of events. A browser keeps few connections to a site, so it is open only while the tab is
 * looked at; it goes on after the last event that it was given, also after an outage of the API, so none is missed.
 * Reconnecting is done here: an EventSource gives up for good when it is answered with a problem.
 */
export function openEventSource({ onEvent, onState }: Listener): () => void {
  let source: EventSource | undefined;
  let lastId = '';
  /** By the date: other clocks may stop while a computer sleeps. */
  let lastSignAt = 0;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function connect(): void {
    clearTimeout(timer);
    source?.close();
    if (Date.now() - lastSignAt >= maxGapMs) lastId = '';
    const resumes = lastId !== '';
    const query = resumes ? `?last_event_id=${encodeURIComponent(lastId)}` : '';
    const opened = new EventSource(`/api/v1/events${query}`);
    source = opened;
    const late = setTimeout(() => {
      if (source === opened) onState('polling', false);
    }, patienceMs);
    opened.onopen = () => {
      clearTimeout(late);
      failures = 0;
      lastSignAt = Date.now();
      onState('live', resumes);
    };
    opened.onerror = () => {
      clearTimeout(late);
      opened.close();
      if (source !== opened) return;
      onState('polling', false);
      timer = setTimeout(connect, Math.min(firstRetryMs * 2 ** failures++, maxRetryMs));
    };
    for (const type of eventTypes) {
      opened.addEventListener(type, (message: MessageEvent<string>) => {
        lastId = message.lastEventId;
        lastSignAt = Date.now();
        onEvent(JSON.parse(message.data) as LiveEvent);
      });
    }
  }

  function pause(): void {
    clearTimeout(timer);
    source?.close();
    source = undefined;
    onState('paused', false);
  }

  const follow = () => (document.visibilityState === 'hidden' ? pause() : connect());
  document.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
}
