import { findDocument } from '../../documents.ts'

// Serves the documentation as Markdown: next.config.mjs rewrites `/docs/guide.md` to this route.

export const dynamic = 'force-dynamic'

type Context = { params: Promise<{ path: string[] }> }

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const text = findDocument(`/${(await params).path.join('/')}`)
  const headers = { 'Content-Type': 'text/markdown; charset=utf-8', 'Cache-Control': 'no-cache' }
  return text === null ? new Response('Not found\n', { status: 404, headers }) : new Response(text, { headers })
}
