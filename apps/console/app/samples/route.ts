import { fromThisSite } from '@/app/api/[...path]/from-this-site';
import { refuse } from '@/app/api/[...path]/refuse';
import { readSession } from '@/app/session/session';
import { loadSample, sampleThreadId } from './load-sample';
import { sampleNames } from './sample-files';

export const dynamic = 'force-dynamic';

const noStore = { 'cache-control': 'no-store' };

/** The samples that can be loaded, and the threads they become. */
export async function GET(): Promise<Response> {
  const { token } = await readSession();
  if (!token) return refuse(401, 'signed_out', 'Your session ended. Sign in again.');
  const names = await sampleNames();
  const samples = names.map((name) => ({ name, thread_id: sampleThreadId(name) }));
  return Response.json({ samples }, { headers: noStore });
}

/** Loads one of them. */
export async function POST(request: Request): Promise<Response> {
  if (!fromThisSite(request)) return refuse(403, 'cross_site', 'This request was not sent by the console.');
  const { token } = await readSession();
  if (!token) return refuse(401, 'signed_out', 'Your session ended. Sign in again.');
  const asked = new URL(request.url).searchParams.get('name');
  const name = (await sampleNames()).find((known) => known === asked);
  if (name === undefined) return refuse(404, 'not_found', 'There is no such sample.');
  try {
    const refused = await loadSample(name, token);
    if (refused) {
      const headers = { 'content-type': 'application/problem+json', ...noStore };
      return new Response(refused.body, { status: refused.status, headers });
    }
    return Response.json({ thread_id: sampleThreadId(name) }, { headers: noStore });
  } catch (error) {
    console.error(error);
    return refuse(502, 'api_unreachable', 'The sample was loaded in part. Retry: nothing is recorded twice.');
  }
}
