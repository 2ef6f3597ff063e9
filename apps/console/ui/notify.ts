import { notifications } from '@mantine/notifications';
import { problemOf } from './problem';

export const notifyDone = (title: string, message: string): void => {
  notifications.show({ title, message, color: 'tide' });
};

export function notifyProblem(error: unknown): void {
  const problem = problemOf(error);
  const request = problem.request_id ? ` (request ${problem.request_id})` : '';
  notifications.show({
    title: problem.title,
    message: problem.detail + request,
    color: 'red',
    autoClose: 12_000,
  });
}
