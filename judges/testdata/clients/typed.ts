// Exports a site with fetch and the types that openapi-typescript generates: start, poll, download.
import type { components, paths } from './generated/types';

declare const process: { env: Record<string, string | undefined>; exitCode?: number };

type Jobs = paths['/v1/static-export/jobs'];
type Bundle = paths['/v1/static-export/jobs/{jobId}/bundle'];
type Job = Jobs['post']['responses']['202']['content']['application/json'];
type Link = Bundle['post']['responses']['200']['content']['application/json'];
type Problem = components['schemas']['Error'];

const base = process.env.LECTERN_URL ?? '';
const headers = { Authorization: `Bearer ${process.env.LECTERN_KEY}`, 'Content-Type': 'application/json' };

async function call<T>(method: 'GET' | 'POST', path: keyof paths, job?: string, body?: unknown): Promise<T> {
  const url = base + path.replace('{jobId}', encodeURIComponent(job ?? ''));
  const answer = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  if (!answer.ok) {
    const problem = (await answer.json()) as Problem;
    throw new Error(`${method} ${url}: ${problem.error} (${problem.code})`);
  }
  return (await answer.json()) as T;
}

async function main(): Promise<void> {
  const wanted: Jobs['post']['requestBody']['content']['application/json'] = { domain: process.env.LECTERN_DOMAIN ?? '' };
  let job = await call<Job>('POST', '/v1/static-export/jobs', undefined, wanted);
  while (job.status === 'queued' || job.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 200));
    job = await call<Job>('GET', '/v1/static-export/jobs/{jobId}', job.jobId);
  }
  if (job.status !== 'completed') throw new Error(`the job ${job.jobId} is ${job.status}: ${job.error}`);
  const link = await call<Link>('POST', '/v1/static-export/jobs/{jobId}/bundle', job.jobId);
  const archive = await (await fetch(link.bundleUrl)).arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', archive));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  console.log(JSON.stringify({ pages: job.pageCount, described: link.sha256, downloaded: sha256 }));
}

main().catch((problem) => {
  console.error(problem);
  process.exitCode = 1;
});
