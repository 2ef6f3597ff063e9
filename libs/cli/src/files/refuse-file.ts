/** Throws the error of a read or a write with the name of the file: that of a folder does not name it. */
export const refuseFile = (error: unknown, path: string): never => {
  throw Object.assign(error as Error, { path });
};

/** Whether a write failed by itself, as on a full disk: such an error does not name the file. */
export const isFailedWrite = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && ['write', 'fsync'].includes((error as NodeJS.ErrnoException).syscall ?? '');
