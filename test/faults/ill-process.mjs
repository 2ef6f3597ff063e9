// Loaded before an app: makes the process ill when it is told to by a signal.
process.on('SIGUSR2', () => {
  if (process.env.ILLNESS === 'block') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 65_000);
  else
    setTimeout(() => {
      throw new Error('thrown in a timer');
    }, 1);
});
