'use client';

import type { KeyboardEvent } from 'react';
import { sequenceBegun } from '@/ui/shortcuts/sequence';
import { keyAction, type KeyAction } from './timeline-keys';

/** The keys of the timeline. They work while the focus is within it and not in a field or on a button (WCAG 2.1.4). */
export function useTimelineKeys(at: Parameters<typeof keyAction>[1], act: (action: KeyAction) => void) {
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
    if (sequenceBegun()) return;
    const { target } = event;
    if (target.closest('input, textarea, select, [contenteditable]')) return;
    if (event.key === 'Enter' && target !== event.currentTarget) return;
    const action = keyAction(event.key, at);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    act(action);
  };
}
