import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateText } from 'ai';
import { describe, expect, onTestFinished, test } from 'vitest';
import { providers } from './providers.js';

describe('a model name never leaves its place in a Google URL', () => {
  test.each([
    ['gemini-3-pro', '/v1/models/gemini-3-pro:generateContent'],
    ['models/gemini-3-pro', '/v1/models/gemini-3-pro:generateContent'],
    ['tunedModels/mine', '/v1/tunedModels/mine:generateContent'],
    ['../admin', '/v1/models/..%2Fadmin:generateContent'],
    ['models/../x', '/v1/models/models%2F..%2Fx:generateContent'],
    ['x?key=y#z', '/v1/models/x%3Fkey%3Dy%23z:generateContent'],
  ])('the model %s is asked at %s of Google', async (name, path) => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const model = providers.google({ provider: 'google', baseUrl, apiKey: 'k', model: null }, name);
    await expect(generateText({ model, prompt: 'x', maxRetries: 0 })).rejects.toThrow();
    expect(asked).toEqual([path]);
  });
});
