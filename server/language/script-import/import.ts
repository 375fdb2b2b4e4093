import { parseCurl } from './curl.ts'
import { readDocument } from './document.ts'
import { parseHar } from './har.ts'
import { parseOpenApi } from './openapi.ts'
import { IMPORT_MAX, ImportError, type ImportedRequest, type ImportNote, withoutUserinfo } from './request.ts'
import { splitNothing } from './templates.ts'

/** The requests found in a text. If there are several, the reader chooses. */
export type Imported = {
  format: 'curl' | 'HAR' | 'OpenAPI'
  choices: { label: string; request: () => ImportedRequest }[]
  /** Notes about dropped parts, besides those of each request. */
  notes: ImportNote[]
}

/** Recognizes a curl command, a HAR file or an OpenAPI document. @throws ImportError */
export function importText(text: string, max = IMPORT_MAX): Imported {
  if (text.length > max) throw new ImportError(`The text is longer than ${max.toLocaleString('en')} characters.`)
  if (/^\s*curl\s/.test(text)) {
    return { format: 'curl', choices: [choiceOf(withoutUserinfo(parseCurl(text)))], notes: [] }
  }
  const document = readDocument(text, max)
  if (typeof document !== 'object' || document === null) throw unknown()
  if ('log' in document) {
    const { requests, notes } = parseHar(document)
    return { format: 'HAR', choices: requests.map(withoutUserinfo).map(choiceOf), notes }
  }
  if ('openapi' in document || 'swagger' in document) {
    const { operations, notes } = parseOpenApi({ ...document })
    return { format: 'OpenAPI', choices: operations, notes }
  }
  throw unknown()
}

function unknown(): ImportError {
  return new ImportError('This is not a curl command, a HAR file or an OpenAPI document.')
}

function choiceOf(request: ImportedRequest): Imported['choices'][number] {
  return { label: `${request.method.toUpperCase()} ${shownUrl(request)}`.slice(0, 200), request: () => request }
}

/** The URL with its variables as they were written. */
export function shownUrl({ url, split = splitNothing }: ImportedRequest): string {
  return split(url)
    .map((part) => (typeof part === 'string' ? part : part.source))
    .join('')
}
