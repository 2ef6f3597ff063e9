import type { ComponentPropsWithRef } from 'react';

interface Props extends ComponentPropsWithRef<'button'> {
  'data-loading'?: boolean;
  'data-disabled'?: boolean;
}

/**
 * The element of a button. While its request runs it ignores clicks, but keeps the focus: a browser takes the focus
 * from an element that becomes `disabled`.
 */
export function BusyButton({ type = 'button', disabled = false, onClick, ...button }: Props) {
  const busy = button['data-loading'] === true && button['data-disabled'] !== true;
  return (
    <button
      {...button}
      type={type}
      disabled={disabled && !busy}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  );
}
