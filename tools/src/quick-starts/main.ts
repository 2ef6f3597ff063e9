import '@spillway/node-version/require';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { temporaryFolder, type Teardown } from '@spillway/embedded';
import { Command, Option } from 'commander';
import { launchBrowser, startConsole, startStack, startStubProvider } from '@spillway/testing';
import { formatted } from '../formatted.js';
import { repository } from '../repository.js';
import { runToEnd } from '../start/run-to-end.js';
import { visitConsole } from './console-pictures.js';
import { modelOf, type Conversation } from './conversations.js';
import {
  pictureOf,
  picturesFolder,
  quickStartsDocument,
  quickStartsPage,
  withQuickStart,
} from './document.js';
import { installOldNode } from './old-node.js';
import { startOwnRegistry } from './own-registry.js';
import { starts } from './starts.js';
import { tryStart, type Measured } from './try-start.js';

const say = (line: string): void => console.log(line);
/** Pictures are in the repository for ever. */
const maxPictureBytes = 150_000;

/** What all quick starts share: servers, a registry of our packages, an older Node.js, and a browser. */
async function openWorld(talk: { conversation: Conversation }, signal: AbortSignal, teardown: Teardown) {
  const folder = await temporaryFolder();
  teardown.add('the temporary folder', () => folder.remove());
  const registryUrl = await startOwnRegistry({ folder: folder.path, signal }, teardown);
  const oldNode = await installOldNode(folder.path, signal);
  const provider = await startStubProvider({
    model: (seen) => modelOf(talk.conversation)(seen),
    contextWindow: 128_000,
  });
  teardown.add('the provider', () => provider.stop());
  const llm = (name: string, model: string, version = 'v1') => ({
    SPILLWAY_LLM_PROVIDER: name,
    SPILLWAY_LLM_BASE_URL: `${provider.url}/${version}`,
    SPILLWAY_LLM_API_KEY: 'sk-stub',
    SPILLWAY_LLM_MODEL: model,
  });
  const env = { ...llm('openai', 'gpt-4o-mini'), SPILLWAY_CHAT_MODELS: 'gpt-5-codex' };
  const stack = await startStack({ ownPostgres: true, env });
  teardown.add('Spillway', () => stack.stop());
  const anthropic = await stack.startApi(llm('anthropic', 'claude-sonnet-5'));
  const google = await stack.startApi(llm('google', 'gemini-2.5-flash', 'v1beta'));
  const console = await startConsole(stack.url);
  teardown.add('the console', () => console.kill());
  const browser = await launchBrowser();
  teardown.add('the browser', () => browser.close());
  const apiUrls = { openai: stack.url, anthropic: anthropic.url, google: google.url };
  return {
    ...{ folder: folder.path, registryUrl, oldNode, provider, stack, apiUrls, browser },
    consoleUrl: console.url,
  };
}

/**
 * `npm run quick-starts [-- --write] [-- --only NAME]`: tries every quick start from an empty folder. `--write` writes the
 * page and its pictures, of one its row and its section; without it the pictures are left beside the results of tests.
 */
const options = new Command('npm run quick-starts --')
  .description('Tries the quick starts, with the file and the command that each page names.')
  .addOption(new Option('--only <name>', 'one of them').choices(starts.map(({ name }) => name)))
  .option('--write', 'write the page in docs/quick-starts and its pictures', false)
  .allowExcessArguments(false)
  .parse()
  .opts<{ only?: string; write: boolean }>();

await runToEnd(async ({ signal }, teardown) => {
  const chosen = starts.filter(({ name }) => options.only === undefined || name === options.only);
  /** What is said now: quick starts run one after the other. */
  const talk = { conversation: chosen[0]!.conversation };
  const world = await openWorld(talk, signal, teardown);
  const pictures = join(repository, options.write ? picturesFolder : '.test-results/quick-starts');
  const measured: Measured[] = [];
  for (const start of chosen) {
    talk.conversation = start.conversation;
    const folder = join(world.folder, start.name);
    await mkdir(folder);
    const [key, oldKey] = [
      await world.stack.addProject(start.name),
      await world.stack.addProject(`${start.name}-old-node`),
    ];
    const visit = await visitConsole(world.browser, world.consoleUrl, key);
    const picture = join(pictures, pictureOf(start));
    await mkdir(dirname(picture), { recursive: true });
    try {
      const one = await tryStart(start, {
        ...{ folder, visit, picture, signal },
        registryUrl: world.registryUrl,
        providerUrl: world.provider.url,
        apiUrl: world.apiUrls[start.provider],
        runs: [
          { node: process.execPath, key },
          ...(start.newNodeOnly ? [] : [{ node: world.oldNode.program, key: oldKey }]),
        ],
      });
      const refused = world.provider.refused.splice(0);
      if (refused.length > 0) throw new Error(`The provider refused a request: ${refused[0]!.message}`);
      const { size } = await stat(picture);
      if (size > maxPictureBytes)
        throw new Error(`${picture} has ${size} bytes; at most ${maxPictureBytes}.`);
      measured.push(one);
      say(
        `${start.name}: installed in ${one.installSeconds.toFixed(1)} s, ran in ${one.runSeconds.map((s) => s.toFixed(1)).join(' and ')} s`,
      );
    } catch (error) {
      signal.throwIfAborted();
      const refused = world.provider.refused
        .splice(0)
        .map(({ message }) => `\nThe provider refused: ${message}`);
      say(
        `${start.name}: FAILED: ${error instanceof Error ? error.message : String(error)}${refused.join('')}`,
      );
    } finally {
      await visit.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }
  say(`${measured.length} of ${chosen.length} quick starts work.`);
  if (measured.length < chosen.length) return 1;
  if (options.write) {
    const path = join(repository, quickStartsPage);
    const [node, oldNode] = [process.versions.node, world.oldNode.version];
    const text =
      options.only === undefined
        ? quickStartsDocument(measured, { cores: availableParallelism(), node, oldNode })
        : withQuickStart(await readFile(path, 'utf8'), measured[0]!, starts);
    await writeFile(path, await formatted(quickStartsPage, text));
    say(`${quickStartsPage} has the times.`);
  }
  return 0;
});
