import { ApiError } from '../errors.ts'
import { DOWNLOADS } from './path.ts'
import { fileResponse, requireReading } from './responses.ts'

type DownloadPath = keyof typeof DOWNLOADS

/**
 * Serves the files of `DOWNLOADS`. As for the OpenAPI document, any host name of this installation will do: a CI runner may
 * not know the one in BASE_URL. `read` returns null while its file does not exist. The handler throws `ApiError`.
 */
export function createDownloads(
  read: Record<DownloadPath, () => Promise<Uint8Array | null>>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    requireReading(request)
    const path = new URL(request.url).pathname as DownloadPath
    const bytes = await read[path]?.()
    if (!bytes) throw new ApiError('not_found')
    return fileResponse(request, bytes, { 'Content-Type': DOWNLOADS[path] })
  }
}
