import { keyCreated } from '../access/key.js';
import {
  adminKeyCreate,
  project,
  projectCreate,
  projectCreated,
  projectErasure,
  projectId,
  projectList,
} from '../access/project.js';
import { serverPause } from '../compaction/server-pause.js';
import { projectUsageList, projectUsageQuery } from '../operations/project-usage.js';
import { wholeList } from '../list.js';
import { none, type Route } from './route.js';

/** What only the operator of the service may do: no key reaches beyond its own project. */
export const projectsRoutes: Record<string, Route> = {
  'GET /v1/projects': {
    id: 'listProjects',
    scope: 'operator',
    summary: 'Projects of the service',
    description:
      'Lists all projects by name. It takes the operator password by HTTP Basic, with any user name, and no ' +
      'key: a key is of one project.',
    query: wholeList,
    answers: { 200: projectList },
  },
  'GET /v1/projects/usage': {
    id: 'listProjectUsage',
    scope: 'operator',
    summary: 'What each project did and holds, the largest first',
    description:
      'Lists projects by one of their figures, the largest first, 50 a page: which project is noisy, and what it costs. ' +
      'The figures are those of `GET /v1/usage`, except that the cost of erased threads stays in them; `threads` and ' +
      '`output_bytes` are those of now. A figure that grows between two pages moves its project up. It takes the ' +
      'operator password by HTTP Basic.',
    query: projectUsageQuery,
    example: { query: { from: '2026-11-01T00:00:00Z', to: '2026-11-08T00:00:00Z', sort: 'cost_usd' } },
    answers: { 200: projectUsageList },
  },
  'POST /v1/projects': {
    id: 'createProject',
    scope: 'operator',
    summary: 'Make a project with its first admin key',
    description:
      'Creates a project and a key of it with the scope admin, both or neither. The key is shown once; only ' +
      'its hash is stored. It takes the operator password by HTTP Basic.',
    body: projectCreate,
    example: { body: { name: 'support desk' } },
    answers: { 201: projectCreated },
  },
  'DELETE /v1/projects/{id}': {
    id: 'eraseProject',
    scope: 'operator',
    summary: 'Erase a project with all that belongs to it',
    description:
      'Revokes all keys of the project and ends its sessions; they stop working within seconds. Workers then ' +
      'erase its threads, outputs, events and settings, which takes minutes for a large one. Its name is free ' +
      'at once, its audit log stays. This cannot be undone. It takes the operator password by HTTP Basic.',
    params: projectId,
    query: projectErasure,
    example: { query: { name: 'support desk' } },
    answers: { 202: project },
  },
  'POST /v1/projects/{id}/suspend': {
    id: 'suspendProject',
    scope: 'operator',
    summary: 'Refuse all requests of a project',
    description:
      'From now on requests with keys, sessions and thread tokens of the project are answered with 403 ' +
      '`project_suspended`, in other processes within seconds, and its open streams end. Its data are kept, and ' +
      'expire as before; threads that are due are still compacted, and webhooks delivered. Safe to repeat. It takes ' +
      'the operator password by HTTP Basic.',
    params: projectId,
    answers: { 200: project },
  },
  'POST /v1/projects/{id}/resume': {
    id: 'resumeProject',
    scope: 'operator',
    summary: 'Serve a suspended project again',
    description:
      'Keys that were valid before work again, in other processes within seconds. Safe to repeat. It takes the ' +
      'operator password by HTTP Basic.',
    params: projectId,
    answers: { 200: project },
  },
  'POST /v1/projects/{id}/compaction/pause': {
    id: 'pauseCompaction',
    scope: 'operator',
    summary: 'Let no worker compact threads of a project',
    description:
      'From now on workers begin no compaction of the project, and one that runs takes no effect: its model call is ' +
      'given up within seconds and does not count as a failure. Appends and contexts go on, and contexts stay within their ' +
      'budget. Threads that are due, and compactions that are requested, wait for the end of the pause. Summaries that ' +
      'callers write, and restoring or withdrawing one, go on. Safe to repeat. It takes the operator password by HTTP Basic.',
    params: projectId,
    answers: { 200: project },
  },
  'POST /v1/projects/{id}/compaction/resume': {
    id: 'resumeCompaction',
    scope: 'operator',
    summary: 'Let workers compact threads of a project again',
    description:
      'Threads that are due are compacted within seconds, those that have waited longest first, unless the compaction of ' +
      'all projects is paused. Safe to repeat. It takes the operator password by HTTP Basic.',
    params: projectId,
    answers: { 200: project },
  },
  'GET /v1/server/compaction': {
    id: 'getServerPause',
    scope: 'operator',
    summary: 'Whether workers compact threads',
    description:
      'Says since when the compaction of all projects is paused, and how many projects are paused themselves. It takes ' +
      'the operator password by HTTP Basic.',
    query: none,
    answers: { 200: serverPause },
  },
  'POST /v1/server/compaction/pause': {
    id: 'pauseServerCompaction',
    scope: 'operator',
    summary: 'Let no worker compact threads of any project',
    description:
      'Does for all projects, also for those that are made meanwhile, what the pause of one project does: for an incident ' +
      'of the provider, a model that writes bad summaries, or maintenance. Safe to repeat. It takes the operator password ' +
      'by HTTP Basic.',
    answers: { 200: serverPause },
  },
  'POST /v1/server/compaction/resume': {
    id: 'resumeServerCompaction',
    scope: 'operator',
    summary: 'Let workers compact threads again',
    description:
      'Threads that are due are compacted within seconds, in turn between projects. Projects that are paused themselves ' +
      'stay so. Safe to repeat. It takes the operator password by HTTP Basic.',
    answers: { 200: serverPause },
  },
  'POST /v1/projects/{id}/keys': {
    id: 'createAdminKey',
    scope: 'operator',
    summary: 'Make an admin key for a project whose own ones are lost',
    description:
      'Creates a key of the project with the scope admin and shows it once. Others stay valid: the project ' +
      'revokes them with the new one. It takes the operator password by HTTP Basic.',
    params: projectId,
    body: adminKeyCreate,
    example: { body: { name: 'after the loss of the first' } },
    answers: { 201: keyCreated },
  },
};
