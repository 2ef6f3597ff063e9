import { PasswordInput, type MantineSpacing } from '@mantine/core';
import type { Proof } from './use-proof';

/** Asks for the key of the session, where the API does. */
export function ProofField({ proof, mt }: { proof: Proof; mt?: MantineSpacing }) {
  if (!proof.asked) return null;
  return (
    <PasswordInput
      {...(mt === undefined ? {} : { mt })}
      label="Your API key"
      description="Your sign-in is too old. Enter the key of this session again."
      value={proof.key}
      onChange={(event) => proof.setKey(event.currentTarget.value)}
      autoComplete="off"
      required
      data-autofocus
    />
  );
}
