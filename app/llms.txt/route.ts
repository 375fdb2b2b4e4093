import { llmsText } from '../docs/documents.ts'
import { server } from '../server.ts'

export const dynamic = 'force-dynamic'

/** Tells language models where the documentation is (llmstxt.org). */
export function GET(request: Request): Response {
  const text = llmsText(server.originOf(request.headers.get('host'), server.settings()))
  return new Response(text, { headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' } })
}
