import type { Schemas } from '@spillway/client';
import type { Environment } from '../program/command.js';
import { operatorOf } from './operator-client.js';

export type Project = Schemas['ProjectList']['data'][number];

/** All projects of the service, by name. */
export async function readProjects(env: Environment): Promise<Project[]> {
  const page = await operatorOf(env)<Schemas['ProjectList']>({ method: 'GET', path: '/v1/projects' });
  return page.data;
}
