import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import '@/ui/tokens.css';
import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { publicApiUrl } from '@/app/session/api-url';
import { Frame } from '@/ui/frame/frame';
import { Providers } from '@/ui/frame/providers';

export const metadata: Metadata = {
  description: 'Every thread, what the model saw of it, and why.',
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { width: 'device-width', initialScale: 1 };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? '';
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript nonce={nonce} defaultColorScheme="auto" />
      </head>
      <body>
        <Providers nonce={nonce} apiAddress={publicApiUrl()}>
          <Frame>{children}</Frame>
        </Providers>
      </body>
    </html>
  );
}
