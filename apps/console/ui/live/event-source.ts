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
 * The tab's one stream of events. A browser keeps few connections to a site, so it is open only while the tab is
 * looked at; it goes on after the last event that it was given, also after an outage of the API, so none is missed.
 * Reconnecting is done here: an EventSource gives up for good when it is answered with a problem.
 */
export function openEventSource({ onEvent, onState }: Listener): () => void {
  let source: EventSource | undefined;
  let lastId = '';
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function connect(): void {
    clearTimeout(timer);
    source?.close();
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
