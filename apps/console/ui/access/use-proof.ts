'use client';

import { useState } from 'react';
import { problemOf } from '@/ui/messages/problem';
import { browserApi, doneOf } from './browser-api';

/** The session's key, which a form asks for again before a credential is made. */
export interface Proof {
  /** From when the API asks for it until a credential was made. */
  asked: boolean;
  key: string;
  setKey: (key: string) => void;
  /** Shows the key to the API, if one was entered. */
  show: () => Promise<void>;
}

/** `error` is that of the last attempt to make the credential. */
export function useProof(error: Error | null): Proof {
  const [key, setKey] = useState('');
  const [asked, setAsked] = useState(false);
  if (needsProof(error) && !asked) setAsked(true);
  const show = async () => {
    if (key === '') return;
    await doneOf(browserApi.POST('/v1/sessions/current/proof', { body: { key: key.trim() } }));
    setKey('');
    setAsked(false);
  };
  return { asked, key, setKey, show };
}

export const needsProof = (error: Error | null): boolean =>
  error !== null && problemOf(error).code === 'reauthentication_required';
