import { offlineWorker } from './offline-worker.ts'

export const dynamic = 'force-dynamic'

/** The service worker that shows a page of ours while the browser cannot reach the installation. */
export function GET(): Response {
  const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' }
  return new Response(offlineWorker(), { headers })
}
