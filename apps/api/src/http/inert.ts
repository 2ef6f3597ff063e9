/**
 * Headers of content that is shown as text and never executed. A browser that requests it directly saves a file under a
 * name of ours, never under a client's text.
 */
export const inert = (fileName: string, mediaType: string) => ({
  'content-type': `${mediaType}; charset=utf-8`,
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': `attachment; filename="${fileName}"`,
});
