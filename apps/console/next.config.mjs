import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const securityHeaders = [
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'no-referrer' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
];

/** @type {import('next').NextConfig} */
export default {
  output: 'standalone',
  outputFileTracingRoot: root,
  turbopack: { root },
  // `npm run check` compares the types, with a cache of what did not change.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  devIndicators: false,
  // Browsers request it by this name before they load a page's own icon link.
  rewrites: () => Promise.resolve([{ source: '/favicon.ico', destination: '/icon.svg' }]),
  headers: () =>
    Promise.resolve([
      { source: '/:path*', headers: securityHeaders },
      // Under `no-referrer` browsers post a form with `Origin: null`, which a server action refuses: signing in
      // before the scripts are there would fail. Other sites still learn nothing.
      { source: '/login', headers: [{ key: 'Referrer-Policy', value: 'same-origin' }] },
    ]),
};
