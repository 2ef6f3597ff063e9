import { Mark } from '@/ui/frame/mark';
import { AlreadySignedIn } from './already-signed-in';
import { localPath } from './local-path';
import classes from './login.module.css';
import { SignInForm } from './sign-in-form';

export const dynamic = 'force-dynamic';

export default async function LoginPage({ searchParams }: PageProps<'/login'>) {
  const { next, ended } = await searchParams;
  const target = localPath(typeof next === 'string' ? next : undefined);
  return (
    <div className={classes.page}>
      <AlreadySignedIn target={target} />
      <div className={classes.card}>
        <div className={classes.brand}>
          <Mark size={28} />
          <h1>Sign in to Spillway</h1>
        </div>
        {ended === 'yes' && (
          <p className={classes.ended} role="status">
            Your session has ended: it expired, or its key was revoked.
          </p>
        )}
        <SignInForm target={target} />
      </div>
    </div>
  );
}
