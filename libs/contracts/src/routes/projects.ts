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
import { wholeList } from '../list.js';
import type { Route } from './route.js';

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
