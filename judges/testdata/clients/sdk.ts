// Exports a site with the client that hey-api generates: start, poll, download.
import { client } from './generated/sdk/client.gen';
import { generateStaticExportBundle, getStaticExportJob, startStaticExportJob } from './generated/sdk';

declare const process: { env: Record<string, string | undefined>; exitCode?: number };

client.setConfig({ baseUrl: process.env.LECTERN_URL, auth: process.env.LECTERN_KEY });

async function main(): Promise<void> {
  const body = { domain: process.env.LECTERN_DOMAIN ?? '' };
  let { data: job } = await startStaticExportJob({ body, throwOnError: true });
  while (job.status === 'queued' || job.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 200));
    ({ data: job } = await getStaticExportJob({ path: { jobId: job.jobId }, throwOnError: true }));
  }
  if (job.status !== 'completed') throw new Error(`the job ${job.jobId} is ${job.status}: ${job.error}`);
  const { data: link } = await generateStaticExportBundle({ path: { jobId: job.jobId }, throwOnError: true });
  const archive = await (await fetch(link.bundleUrl)).arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', archive));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  console.log(JSON.stringify({ pages: job.pageCount, described: link.sha256, downloaded: sha256 }));
}

main().catch((problem) => {
  console.error(problem);
  process.exitCode = 1;
});
