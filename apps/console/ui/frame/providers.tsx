'use client';

import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ApiAddressProvider } from './api-address';
import { cssVariables, theme } from './theme';
import { goToSignIn } from '../access/session-end';
import { LiveProvider } from '../live/live-provider';
import classes from '../messages/notifications.module.css';
import { ProblemError } from '../messages/problem';

interface Props {
  nonce: string;
  apiAddress: string;
  children: ReactNode;
}

export function Providers({ nonce, apiAddress, children }: Props) {
  const [queries] = useState(makeQueryClient);
  return (
    <QueryClientProvider client={queries}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <Notifications position="bottom-right" autoClose={6000} classNames={{ root: classes.root }} />
        <ApiAddressProvider value={apiAddress}>
          <LiveProvider>{children}</LiveProvider>
        </ApiAddressProvider>
      </MantineProvider>
    </QueryClientProvider>
  );
}

const makeQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: goToSignIn }),
    mutationCache: new MutationCache({ onError: goToSignIn }),
    defaultOptions: {
      // The API may be on this machine: whether there is a network says nothing of it.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 2_000,
        refetchOnWindowFocus: true,
        // A refused request would be refused again; only outages are retried.
        retry: (failures, error) =>
          failures < 1 && (!(error instanceof ProblemError) || error.problem.status >= 502),
        retryDelay: 800,
      },
    },
  });
