import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { problemOf } from './problem';

const closeButtonProps = { 'aria-label': 'Dismiss' };

/** Milliseconds for failures, and for messages with a link. */
const longerMs = 12_000;

export const notifyDone = (title: string, message: ReactNode): void => {
  const autoClose = typeof message === 'string' ? {} : { autoClose: longerMs };
  notifications.show({ title, message, color: 'tide', ...autoClose, closeButtonProps });
};

/** For failed actions. */
export const notifyFailed = (title: string, message: ReactNode): void => {
  notifications.show({ title, message, color: 'red', autoClose: longerMs, closeButtonProps });
};

export function notifyProblem(error: unknown): void {
  const problem = problemOf(error);
  const request = problem.request_id ? ` (request ${problem.request_id})` : '';
  notifications.show({
    title: problem.title,
    message: problem.detail + request,
    color: 'red',
    autoClose: longerMs,
    closeButtonProps,
  });
}
