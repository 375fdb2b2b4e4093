import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { oncePerProcess } from '../../process/once-per-process.ts'
import type { Settings } from '../../process/settings.ts'
import { buildDocument } from './document.ts'
import type { ApiDocument } from './document-types.ts'

/** The document in one content coding, as it is sent. */
export type Representation = { coding: 'br' | 'gzip' | null; bytes: Uint8Array }

/** The best quality is an eighth smaller, but takes 380 ms of CPU time at each start of web instead of 12. */
const BROTLI_QUALITY = 6

/** Returns the document. The first call takes 0.2 s, so web makes it before it accepts requests. */
export function apiDocument(): ApiDocument {
  return oncePerProcess('document', buildDocument)
}

/** Returns the document's JSON in each coding, best first. It is compressed once, in threads of their own. */
export function representations({ BASE_URL }: Pick<Settings, 'BASE_URL'>): Promise<Representation[]> {
  return oncePerProcess('document-representations', async (): Promise<Representation[]> => {
    const document = BASE_URL === undefined ? apiDocument() : withLinks(apiDocument(), BASE_URL)
    const text = Buffer.from(JSON.stringify(document))
    const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
    return [
      { coding: 'br', bytes: await promisify(brotliCompress)(text, { params }) },
      { coding: 'gzip', bytes: await promisify(gzip)(text, { level: 9 }) },
      { coding: null, bytes: text },
    ]
  })
}

/** Returns the first representation whose coding the header accepts. The plain one is always acceptable. */
export function chooseRepresentation(all: Representation[], acceptEncoding: string | null): Representation {
  const accepted = (acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q\s*=\s*0(\.0*)?\s*(;|$)/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim())
  const plain = all.at(-1) as Representation
  return all.find(({ coding }) => coding !== null && accepted.includes(coding)) ?? plain
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
