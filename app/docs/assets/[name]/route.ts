import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import absolutePath from 'swagger-ui-dist/absolute-path.js'

// Serves the prebuilt files of Swagger UI. They are large, and bundling would not improve them.

const ASSETS: Record<string, string> = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
}

export async function GET(_request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  const { name } = await params
  const type = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined
  if (!type) return new Response('Not found', { status: 404 })
  const content = await readFile(join(absolutePath(), name))
  return new Response(content, { headers: { 'Content-Type': type, 'Cache-Control': 'private, max-age=86400' } })
}
