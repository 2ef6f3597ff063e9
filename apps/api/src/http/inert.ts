/**
 * Headers of content that is shown as text and never run: whatever it holds, a browser must not take it for a page. One
 * that is sent here saves a file, whose name is ours, and never a client's text.
 */
export const inert = (fileName: string, mediaType: string) => ({
  'content-type': `${mediaType}; charset=utf-8`,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': `attachment; filename="${fileName}"`,
});
