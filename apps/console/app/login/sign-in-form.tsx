'use client';

import { Button, PasswordInput } from '@mantine/core';
import { useActionState } from 'react';
import { forgetLastSession } from './forget-last-session';
import classes from './login.module.css';
import { signIn } from './sign-in';

export function SignInForm({ target }: { target: string }) {
  const [state, action, pending] = useActionState(signIn, { error: null });
  return (
    <form action={action} onSubmit={forgetLastSession} className={classes.form}>
      <input type="hidden" name="next" value={target} />
      <PasswordInput
        name="key"
        label="API key"
        placeholder="sw_…"
        size="sm"
        autoComplete="off"
        spellCheck={false}
        autoFocus
        error={state.error}
        errorProps={{ role: 'alert' }}
      />
      <Button type="submit" size="sm" fullWidth loading={pending}>
        Sign in
      </Button>
      <p className={classes.fine}>
        The key is exchanged for a session and is not stored. You see what the key may read.{' '}
        <code>npm start</code> prints a key when it starts.
      </p>
    </form>
  );
}
