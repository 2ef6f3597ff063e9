import fc from 'fast-check';

// A landing depends on the change alone: properties try the same values each time. SPILLWAY_SEED chooses others.
fc.configureGlobal({ seed: Number(process.env.SPILLWAY_SEED ?? 1) });
