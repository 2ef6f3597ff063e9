import { cache } from 'react';
import { answerOf, serverApi } from '@/app/session/server-api';

/** The session's key and scopes; read once per page. */
export const readCurrentSession = cache((token: string) =>
  answerOf(serverApi(token).GET('/v1/sessions/current')),
);
