import { EnvError } from './env-error.js';

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken',
  EACCES: 'may not be used by this user',
};

/** For what listens at the port of a variable: throws words for the operator where the port is the reason. */
export const portRefusal =
  (variable: string, port: number) =>
  (error: NodeJS.ErrnoException): never => {
    const reason = reasons[error.code ?? ''];
    throw reason ? new EnvError(`Port ${port} ${reason}: set ${variable} to another one.`) : error;
  };
