/** Invalid settings, one line each, with the variable's name. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}
