import { kindOfSentence, sentencesIn } from '@spillway/engine';
import { loadTrajectories, type JsonMessage } from '@spillway/testing';
import { expect, test } from 'vitest';

/** A prompt that a program wrote is full of instructions; a person says more than one thing after another. */
const minMessages = 5;

/** What the users of a thread say, each message once. */
const saidIn = (messages: readonly JsonMessage[]): string[] => {
  const texts = messages.flatMap(({ role, content }) =>
    role === 'user' && typeof content === 'string' ? [content] : [],
  );
  return [...new Set(texts)];
};

/** Some of them are instructions: the share that is taken wrongly is smaller. */
test('at most 5 % of what people say in real threads is taken for a standing instruction', () => {
  const sentences = new Map(
    loadTrajectories()
      .map(({ messages }) => saidIn(messages))
      .filter((texts) => texts.length >= minMessages)
      .flat()
      .flatMap((text) => sentencesIn(text))
      .map((sentence) => [sentence.text, sentence]),
  );
  const taken = [...sentences.values()].filter(({ text, isRule }) => kindOfSentence(text, isRule) !== null);
  expect(sentences.size).toBeGreaterThan(1_000);
  expect(taken.length / sentences.size, taken.map(({ text }) => text).join('\n')).toBeLessThanOrEqual(0.05);
});
