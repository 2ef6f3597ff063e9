'use client';

import { useEffect } from 'react';

/** Shown when even the frame fails, so it uses no part of the frame. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  useEffect(() => console.error(error), [error]);
  return (
    <html lang="en">
      <body>
        <main
          role="alert"
          style={{ maxWidth: 480, margin: '12vh auto', font: '14px/1.6 system-ui, sans-serif' }}
        >
          <title>Spillway failed</title>
          <h1 style={{ fontSize: 18 }}>The console failed</h1>
          <p>The console failed. No data is affected, and the API keeps working.</p>
          <p>
            <a href="/threads">Go to the threads</a>. When this comes back, look in the log of the console
            {error.digest ? ` for ${error.digest}` : ''}.
          </p>
        </main>
      </body>
    </html>
  );
}
