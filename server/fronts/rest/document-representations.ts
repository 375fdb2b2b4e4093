import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { etagOf } from '../../http/responses.ts'
import { oncePerProcess } from '../../process/once-per-process.ts'
import type { Settings } from '../../process/settings.ts'
import { buildDocument } from './document.ts'
import type { ApiDocument } from './document-types.ts'

/** The document in one content coding, as it is sent. A strong ETag names these bytes, so each coding has its own. */
export type Representation = { coding: 'br' | 'gzip' | null; bytes: Uint8Array; etag: string }

/** The best quality is an eighth smaller, but takes 380 ms of CPU time at each start of web instead of 12. */
const BROTLI_QUALITY = 6

/** Returns the document. The first call takes 0.2 s, so web makes it before it accepts requests. */
export function apiDocument(): ApiDocument {
  return oncePerProcess('document', buildDocument)
}

/** Returns the document's JSON in each coding, best first. It is compressed once, in threads of their own. */
export function representations({ BASE_URL }: Pick<Settings, 'BASE_URL'>): Promise<Representation[]> {
  return oncePerProcess('document-representations', async () => {
    const text = Buffer.from(
      JSON.stringify(BASE_URL === undefined ? apiDocument() : withLinks(apiDocument(), BASE_URL)),
    )
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
      promisify(gzip)(text, { level: 9 }),
    ])
    const all: Representation[] = [
      { coding: 'br', bytes: br, etag: etagOf(br) },
      { coding: 'gzip', bytes: gz, etag: etagOf(gz) },
      { coding: null, bytes: text, etag: etagOf(text) },
    ]
    return all
  })
}

/** Returns the first representation whose coding the header accepts. The plain one is always acceptable. */
export function chooseRepresentation(all: Representation[], acceptEncoding: string | null): Representation {
  const accepted = (acceptEncoding ?? '').toLowerCase().split(',').flatMap(acceptedCoding)
  const plain = all.at(-1) as Representation
  return all.find(({ coding }) => coding !== null && accepted.includes(coding)) ?? plain
}

function acceptedCoding(part: string): string[] {
  const [name = '', ...parameters] = part.split(';').map((each) => each.trim())
  const isRefused = parameters.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter))
  return isRefused ? [] : [name]
}

/** Adds the addresses of the guide and the reference, which are known only when the operator has set one. */
export function withLinks(document: ApiDocument, address: string): ApiDocument {
  const { info, ...rest } = document
  return {
    ...rest,
    info: { ...info, contact: { ...info.contact, url: `${address}/docs` } },
    externalDocs: {
      description: 'The guide: first steps, error codes, permissions, retries and webhooks.',
      url: `${address}/docs/guide`,
    },
  }
}
