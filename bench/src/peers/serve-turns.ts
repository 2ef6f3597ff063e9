/** Runs a turn: keeps what the user says, asks the model with the context, keeps and returns its reply. */
export type Turn = (text: string) => Promise<string>;

export interface Served {
  reply: string;
  /** Milliseconds from the text to the reply, with all that was kept. */
  ms: number;
}

export type FromPeer = { ready: true } | Served | { error: string };

/**
 * Opens a peer with the options of the first argument, then runs each turn that the parent process sends. Each peer is
 * a process of its own, so that none slows down another or the model. Ends with the parent.
 */
export async function serveTurns<Options>(open: (options: Options) => Promise<Turn>): Promise<void> {
  const send = (message: FromPeer): void => void process.send!(message);
  const turn = await open(JSON.parse(process.argv[2]!) as Options);
  process.on('disconnect', () => process.exit(0));
  process.on('message', ({ text }: { text: string }) => {
    const started = performance.now();
    turn(text).then(
      (reply) => send({ reply, ms: performance.now() - started }),
      (error: unknown) => send({ error: error instanceof Error ? `${error.stack}` : String(error) }),
    );
  });
  send({ ready: true });
}
