import { textOf } from './nodes.ts'
import { bodyOf, ImportError, type ImportedRequest, methodOf, REQUESTS_MAX } from './request.ts'

type Entry = {
  request?: {
    method?: unknown
    url?: unknown
    headers?: { name?: unknown; value?: unknown }[]
    postData?: { mimeType?: unknown; text?: unknown }
  }
  response?: { status?: unknown; content?: { mimeType?: unknown } }
}

/** Headers that browsers add to each request, or that a probe sets itself. */
const OF_BROWSERS =
  /^(:.*|host|connection|content-length|accept-encoding|accept-language|user-agent|referer|origin|cache-control|pragma|priority|dnt|te|upgrade-insecure-requests|sec-.*|if-.*)$/i

/** What pages load beside their data. */
const OF_PAGES = /^(image|font|audio|video)\/|^text\/css|javascript/i

/** Reads the requests of a HAR file, without what a page loads to be shown. @throws ImportError */
export function parseHar(file: { log: unknown }): ImportedRequest[] {
  const { entries } = (file.log ?? {}) as { entries?: unknown }
  if (!Array.isArray(entries)) throw new ImportError('The HAR file has no entries.')
  const requests: ImportedRequest[] = []
  for (const entry of entries as Entry[]) {
    if (requests.length === REQUESTS_MAX) break
    const request = requestOf(entry)
    if (request) requests.push(request)
  }
  if (requests.length === 0) throw new ImportError('The HAR file has no request that a script can send.')
  return requests
}

function requestOf({ request, response }: Entry): ImportedRequest | null {
  const { url, method } = request ?? {}
  if (typeof url !== 'string' || !/^https?:/i.test(url) || typeof method !== 'string') return null
  if (OF_PAGES.test(textOf(response?.content?.mimeType))) return null
  const status = Number(response?.status)
  try {
    return {
      method: methodOf(method),
      url,
      headers: (request?.headers ?? []).flatMap(({ name, value }): [string, string][] =>
        typeof name === 'string' && typeof value === 'string' && !OF_BROWSERS.test(name) ? [[name, value]] : [],
      ),
      body: bodyOf(textOf(request?.postData?.text), textOf(request?.postData?.mimeType)),
      ...(status >= 100 && status < 600 && { status }),
      ...(status >= 300 && status < 400 && { followsRedirects: false }),
    }
  } catch (error) {
    // OPTIONS and HEAD requests of browsers.
    if (error instanceof ImportError) return null
    throw error
  }
}
