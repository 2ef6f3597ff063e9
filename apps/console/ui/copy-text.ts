import { notifyFailed } from './messages/notify';

/** Copies a text, and returns whether the browser did. If not, it says why and what to do. */
export async function copyText(text: string): Promise<boolean> {
  // No await before the field: browsers copy from it only while they handle a click or a key.
  if (window.isSecureContext && (await copiedByClipboard(text))) return true;
  if (copiedFromField(text)) return true;
  notifyFailed('Not copied', window.isSecureContext ? refused : notSecure());
  return false;
}

const refused = 'The browser does not allow this site to copy. Allow it in the settings of the browser.';

const notSecure = (): string =>
  `The browser does not allow copying at ${window.location.origin}. Open the console over https or at localhost.`;

/** Browsers have a clipboard in a secure context only: https, or localhost. */
async function copiedByClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copies by selecting the text in a field, which works over plain HTTP, too. */
function copiedFromField(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.cssText = 'position: fixed; top: 0; opacity: 0';
  document.body.append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
