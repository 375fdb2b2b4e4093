import { ApiError } from '../errors.ts'
import { AGENT_PACKAGE_PATH, CLI_PACKAGE_PATH, CODE_SCHEMA_PATH } from './path.ts'
import { fileResponse, requireReading } from './responses.ts'

// Files that programs fetch without a key. As for the OpenAPI document, any host name of this installation will do: a
// CI runner may not know the one in BASE_URL.

/** Returns a file; null while it does not exist. */
type Read = () => Promise<Uint8Array | null>

/**
 * Serves the packages of the command line and of the agent, and the JSON Schema of the files that the command line exports.
 * The handler throws `ApiError`.
 */
export function createDownloads(read: {
  cliPackage: Read
  agentPackage: Read
  codeSchema: () => string
}): (request: Request) => Promise<Response> {
  const files = new Map<string, [type: string, read: Read]>([
    [CLI_PACKAGE_PATH, ['application/gzip', read.cliPackage]],
    [AGENT_PACKAGE_PATH, ['application/gzip', read.agentPackage]],
    [CODE_SCHEMA_PATH, ['application/schema+json', async () => new TextEncoder().encode(read.codeSchema())]],
  ])
  return async (request) => {
    requireReading(request)
    const [type = '', readFile] = files.get(new URL(request.url).pathname) ?? []
    const bytes = await readFile?.()
    if (!bytes) throw new ApiError('not_found')
    return fileResponse(request, bytes, { 'Content-Type': type })
  }
}
