import { ApiError } from '../errors.ts'
import { AGENT_PACKAGE_PATH, CLI_PACKAGE_PATH, CODE_SCHEMA_PATH } from './path.ts'
import { etagOf, forMethod, isKnown, respondWith } from './responses.ts'

// Files that programs fetch without a key. As for the OpenAPI document, any host name of this installation will do: a
// CI runner may not know the one in BASE_URL.

/** `read` returns null while the file does not exist. */
export type Download = { contentType: string; read: () => Promise<Uint8Array | null> }

type Loaded = { bytes: Uint8Array; etag: string }

/**
 * Serves the packages of the command line and of the agent, and the JSON Schema of the files that the command line exports.
 * A file is read once. The handler throws `ApiError`.
 */
export function createDownloads(read: {
  cliPackage: Download['read']
  agentPackage: Download['read']
  codeSchema: () => string
}): (request: Request) => Promise<Response> {
  const schema = async () => new TextEncoder().encode(read.codeSchema())
  const files: Record<string, Download> = {
    [CLI_PACKAGE_PATH]: { contentType: 'application/gzip', read: read.cliPackage },
    [AGENT_PACKAGE_PATH]: { contentType: 'application/gzip', read: read.agentPackage },
    [CODE_SCHEMA_PATH]: { contentType: 'application/schema+json', read: schema },
  }
  const loaded = new Map<string, Loaded>()
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new ApiError('method_not_allowed', undefined, { Allow: 'GET, HEAD' })
    }
    const { pathname } = new URL(request.url)
    const file = Object.hasOwn(files, pathname) ? files[pathname] : undefined
    const found = loaded.get(pathname) ?? (file && (await load(file)))
    if (!file || !found) throw new ApiError('not_found')
    loaded.set(pathname, found)
    // `no-cache`: a client asks each time whether its copy is that of the running version.
    const headers = { 'Content-Type': file.contentType, 'Cache-Control': 'no-cache', ETag: found.etag }
    if (isKnown(request, found.etag)) return respondWith(304, null, headers)
    return forMethod(request, respondWith(200, found.bytes, headers))
  }
}

async function load({ read }: Download): Promise<Loaded | null> {
  const bytes = await read()
  return bytes && { bytes, etag: etagOf(bytes) }
}
