import { originOf } from '#server/http/own-host.ts'
import { settings } from '#server/process/settings.ts'
import { llmsText } from '../docs/documents.ts'

export const dynamic = 'force-dynamic'

/** Tells language models where the documentation is (llmstxt.org). */
export function GET(request: Request): Response {
  const text = llmsText(originOf(request.headers.get('host'), settings()))
  return new Response(text, { headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' } })
}
