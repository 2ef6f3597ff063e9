/** Throws the error of a read or a write with the name of the file: that of a folder does not name it. */
export const refuseFile = (error: unknown, path: string): never => {
  throw Object.assign(error as Error, { path });
};
