import { cache } from 'react';
import { answerOf, serverApi } from '@/app/session/server-api';

/** Whose key the session stands for and what it may do; asked once while a page is made. */
export const readCurrentSession = cache((token: string) =>
  answerOf(serverApi(token).GET('/v1/sessions/current')),
);
