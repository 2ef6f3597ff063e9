import { notifications } from '@mantine/notifications';
import { problemOf } from './problem';

const closeButtonProps = { 'aria-label': 'Dismiss' };

export const notifyDone = (title: string, message: string): void => {
  notifications.show({ title, message, color: 'tide', closeButtonProps });
};

/** For failed actions. */
export const notifyFailed = (title: string, message: string): void => {
  notifications.show({ title, message, color: 'red', autoClose: 12_000, closeButtonProps });
};

export function notifyProblem(error: unknown): void {
  const problem = problemOf(error);
  const request = problem.request_id ? ` (request ${problem.request_id})` : '';
  notifications.show({
    title: problem.title,
    message: problem.detail + request,
    color: 'red',
    autoClose: 12_000,
    closeButtonProps,
  });
}
