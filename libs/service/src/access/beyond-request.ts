import { asProject } from '@spillway/store';

/**
 * For a stream, which reads its next block after the scope of its request has ended: runs the read in the project's
 * scope. Awaited inside it, because a query of Prisma starts only when it is awaited.
 */
export const beyondRequest = <T>(projectId: string, read: () => Promise<T>): Promise<T> =>
  asProject(projectId, 'service', async () => await read());
