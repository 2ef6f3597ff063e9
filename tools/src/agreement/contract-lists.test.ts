import { messageFormat, messageHold, outputKinds, presetName, summaryProvider } from '@spillway/contracts';
import * as engine from '@spillway/engine';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../repository.js';

const chart = JSON.parse(
  readFileSync(join(repository, 'deploy/helm/spillway/values.schema.json'), 'utf8'),
) as { properties: { llm: { properties: { provider: { enum: string[] } } } } };

// The contracts import nothing of ours, and a chart no code: they repeat what the engine knows.
test.each<[where: string, repeated: readonly string[], known: readonly string[]]>([
  ['libs/contracts/src/outputs/output-kinds.ts', outputKinds, engine.outputKinds],
  ['libs/contracts/src/policies/policy.ts', summaryProvider.options, engine.summaryProviders],
  ['libs/contracts/src/policies/policy.ts', presetName.options, engine.presetNames],
  ['libs/contracts/src/messages/message.ts', messageHold.options, engine.holdNames],
  [
    'deploy/helm/spillway/values.schema.json',
    chart.properties.llm.properties.provider.enum,
    engine.summaryProviders,
  ],
  ['libs/contracts/src/formats/message-format.ts', messageFormat.options, engine.formatNames],
])('%s has the list of the engine', (_where, repeated, known) => {
  expect(repeated).toEqual(known);
});
