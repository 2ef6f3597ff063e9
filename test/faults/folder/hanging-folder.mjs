// Loaded before an app: while the named pipe HANG exists, files of outputs are opened as on a file system whose server is
// gone: the call keeps its thread until somebody writes into the pipe.
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { open } = fs;
fs.open = async (path, ...rest) => {
  if (String(path).startsWith(process.env.HANG_BELOW) && existsSync(process.env.HANG))
    await (await open(process.env.HANG, 'r')).close();
  return open(path, ...rest);
};
syncBuiltinESMExports();
