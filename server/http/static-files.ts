import type { IncomingMessage, ServerResponse } from 'node:http'
import sirv from 'sirv'

/** Where browsers load the files of the dashboard's build. */
export const STATIC_URL = '/_next/static/'
const YEAR_S = 365 * 24 * 3_600

/**
 * Serves the files of a build from `folder`, in Brotli where the build wrote it: Next would compress each file for each
 * request. Calls `next` for other URLs and for files that do not exist.
 */
export function createFileHandler(folder: string) {
  // The files' names change with their content.
  const files = sirv(folder, { brotli: true, etag: true, immutable: true, maxAge: YEAR_S })
  return (request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const url = request.url ?? ''
    if (!url.startsWith(STATIC_URL)) return next()
    request.url = url.slice(STATIC_URL.length - 1)
    files(request, response, () => {
      request.url = url
      next()
    })
  }
}
