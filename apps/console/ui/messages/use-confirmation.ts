'use client';

import { useMutation, useQueryClient, type QueryKey, type UseMutationOptions } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { placeNow } from '../place-now';
import { notifyProblem } from './notify';
import { problemOf } from './problem';

/** An action behind a dialog that asks for confirmation. */
export interface Confirmation {
  opened: boolean;
  open: () => void;
  close: () => void;
  confirm: () => void;
  isPending: boolean;
  /** Why the last confirmation failed, for as long as the dialog that asked shows it. */
  error: Error | null;
}

/** What was asked about changed or went since the page showed it. */
const isOutdated = (error: Error): boolean => [404, 409, 412].includes(problemOf(error).status);

interface Action<T, Context> extends Pick<
  UseMutationOptions<T, Error, void, Context>,
  'mutationFn' | 'onMutate' | 'onSuccess' | 'onError'
> {
  /** What an outdated page reads anew; everything where it is not given. */
  stale?: readonly QueryKey[];
  /** Goes where the result is. Not called when the person left the place where they confirmed. */
  goOn?: (result: T) => void;
}

/**
 * Runs an action once it was confirmed. A failure stands in the dialog, to be tried again; when the page was outdated,
 * it is a notification, and the page is read anew.
 */
export function useConfirmation<T, Context = unknown>({
  stale = [[]],
  goOn,
  ...options
}: Action<T, Context>): Confirmation {
  const queries = useQueryClient();
  const [opened, setOpened] = useState(false);
  // A dialog can be closed while its request runs, by a person or with the page that it is on.
  const isOpen = useRef(false);
  useEffect(() => () => void (isOpen.current = false), []);
  const askedIn = useRef('');
  const show = (next: boolean) => {
    isOpen.current = next;
    setOpened(next);
  };
  const action = useMutation({
    ...options,
    onSuccess: (result, ...of) => {
      show(false);
      if (placeNow() === askedIn.current) goOn?.(result);
      return options.onSuccess?.(result, ...of);
    },
    onError: (error, ...of) => {
      if (isOutdated(error)) {
        show(false);
        for (const queryKey of stale) void queries.invalidateQueries({ queryKey });
      }
      if (!isOpen.current) notifyProblem(error);
      return options.onError?.(error, ...of);
    },
  });
  return {
    opened,
    open: () => {
      if (!action.isPending) action.reset();
      show(true);
    },
    close: () => show(false),
    confirm: () => {
      askedIn.current = placeNow();
      action.mutate();
    },
    isPending: action.isPending,
    error: action.error,
  };
}
