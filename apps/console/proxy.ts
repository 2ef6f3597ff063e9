import { NextResponse, type NextRequest } from 'next/server';

/**
 * A content security policy with a nonce for each page: only scripts that Next or we put there run. Styles may be
 * inline because Mantine sets custom properties in style attributes. Sessions are not checked here but in each
 * page and handler, so that a matcher that misses a path can't open it.
 */
export function proxy(request: NextRequest): NextResponse {
  if (!isDecodable(request.nextUrl.pathname))
    return new NextResponse('This URL cannot be decoded.', { status: 400 });
  const nonce = btoa(crypto.randomUUID());
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('x-here', request.nextUrl.pathname + request.nextUrl.search);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}

/** Next itself would answer 500 to `%E0%A4%A`, which is an incomplete character. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function contentSecurityPolicy(nonce: string): string {
  // React's development build evaluates strings to rebuild server stacks; production never does.
  const development = process.env.NODE_ENV === 'development' ? " 'unsafe-eval'" : '';
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export const config = { matcher: '/((?!api/|_next/static|_next/image|icon.svg).*)' };
