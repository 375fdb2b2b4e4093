import { listOf, type Node, nodeOf, textOf } from './nodes.ts'
import {
  bodyOf,
  formBody,
  ImportError,
  type ImportedBody,
  type ImportedRequest,
  type ImportNote,
  methodOf,
  REQUESTS_MAX,
} from './request.ts'

/** Headers that browsers add to each request, or that a probe sets itself. */
const OF_BROWSERS =
  /^(:.*|host|connection|content-length|accept-encoding|accept-language|user-agent|referer|origin|cache-control|pragma|priority|dnt|te|upgrade-insecure-requests|sec-.*|if-.*)$/i

/** Resources that pages load besides their data. */
const OF_PAGES = /^(image|font|audio|video)\/|^text\/css|javascript/i

export type ImportedHar = { requests: ImportedRequest[]; notes: ImportNote[] }

/** Reads the requests of a HAR file, without what a page loads to be shown. @throws ImportError */
export function parseHar(file: { log: unknown }): ImportedHar {
  const { entries } = nodeOf(file.log)
  if (!Array.isArray(entries)) throw new ImportError('The HAR file has no entries.')
  const requests: ImportedRequest[] = []
  const notes: ImportNote[] = []
  const dropped = new Set<string>()
  let more = 0
  for (const entry of entries.map(nodeOf)) {
    const mimeType = textOf(nodeOf(nodeOf(entry.response).content).mimeType)
    if (OF_PAGES.test(mimeType)) continue
    try {
      const request = requestOf(nodeOf(entry.request), nodeOf(entry.response), dropped)
      if (requests.length < REQUESTS_MAX) requests.push(request)
      else more++
    } catch (error) {
      // Such as OPTIONS and HEAD requests of browsers, and entries without a request.
      if (!(error instanceof ImportError)) throw error
      notes.push({
        what: placeOf(nodeOf(entry.request)),
        why: error.message,
        todo: 'Write a call by hand if it matters.',
      })
    }
  }
  if (requests.length === 0) throw new ImportError('The HAR file has no request that a script can send.')
  if (more > 0) {
    const what = `${more} of ${REQUESTS_MAX + more} requests`
    notes.push({ what, why: `An import has at most ${REQUESTS_MAX} requests.`, todo: 'Record less at a time.' })
  }
  if (dropped.size > 0) {
    const what = `the headers ${[...dropped].sort().join(', ')}`
    notes.push({
      what,
      why: 'Browsers add them, and a probe is not a browser.',
      todo: 'Add those that the server needs.',
    })
  }
  return { requests, notes }
}

function placeOf(request: Node): string {
  // A query may hold credentials, and so may the user information before the host.
  const url = textOf(request.url)
    .replace(/[?#].*$/s, '')
    .replace(/\/\/[^/]*@/, '//')
  return `the request ${textOf(request.method)} ${url}`.slice(0, 200)
}

/** @throws ImportError for what a script cannot send */
function requestOf(request: Node, response: Node, dropped: Set<string>): ImportedRequest {
  const url = textOf(request.url)
  if (!/^https?:\/\//i.test(url)) throw new ImportError('Scripts probe over HTTP.')
  const method = methodOf(textOf(request.method))
  const headers: [string, string][] = []
  for (const { name, value } of listOf(request.headers).map(nodeOf)) {
    if (typeof name !== 'string' || typeof value !== 'string') continue
    if (OF_BROWSERS.test(name)) {
      if (!/^(:.*|host|connection|content-length)$/i.test(name)) dropped.add(name.toLowerCase())
    } else headers.push([name, value])
  }
  const status = Number(response.status)
  const isSeen = status >= 100 && status < 600 && status !== 304
  const place = placeOf(request)
  return {
    method,
    url,
    headers,
    body: readBody(nodeOf(request.postData)),
    ...(isSeen && { status }),
    // A redirect and what it led to are two entries, so a redirect that was not recorded is another response.
    followsRedirects: false,
    notes: [...(isSeen ? [] : [statusNote(place, status)]), ...bodyNotes(place, response)],
  }
}

function statusNote(place: string, status: number): ImportNote {
  const why =
    status === 304
      ? 'The browser had a cached copy and got 304. A probe has no cache, so the script expects 200.'
      : 'No status was recorded. The script expects 200.'
  return { what: `the status of ${place}`, why, todo: 'Check the status.' }
}

/** A recording shows the response, but not which parts must stay the same. */
function bodyNotes(place: string, response: Node): ImportNote[] {
  const { text, size } = nodeOf(response.content)
  if (textOf(text) === '' && !(Number(size) > 0)) return []
  const why = 'The script expects the recorded status, and compares no body.'
  return [{ what: `the response body of ${place}`, why, todo: 'Add conditions on the body.' }]
}

function readBody(postData: Node): ImportedBody | null {
  const type = textOf(postData.mimeType)
  const text = textOf(postData.text)
  const params = listOf(postData.params).map(nodeOf)
  if (text !== '' || params.length === 0) return bodyOf(text, type)
  if (/^multipart\//i.test(type)) throw new ImportError('Scripts cannot send multipart forms.')
  return formBody(params.map(({ name, value }): [string, string] => [textOf(name), textOf(value)]))
}
