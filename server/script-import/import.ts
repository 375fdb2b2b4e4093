import { parseCurl } from './curl.ts'
import { readDocument } from './document.ts'
import { parseHar } from './har.ts'
import { parseOpenApi } from './openapi.ts'
import { IMPORT_MAX, ImportError, type ImportedRequest, withoutUserinfo } from './request.ts'

/** What was recognized in a text. Of several requests, the reader chooses. */
export type Imported = {
  format: 'curl' | 'HAR' | 'OpenAPI'
  choices: { label: string; request: () => ImportedRequest }[]
}

/** Recognizes a curl command, a HAR file or an OpenAPI document. @throws ImportError */
export function importText(text: string, max = IMPORT_MAX): Imported {
  if (text.length > max) throw new ImportError(`The text is longer than ${max.toLocaleString('en')} characters.`)
  if (/^\s*curl\s/.test(text)) {
    const request = withoutUserinfo(parseCurl(text))
    return { format: 'curl', choices: [choiceOf(request)] }
  }
  const document = readDocument(text, max)
  if (typeof document !== 'object' || document === null) throw unknown()
  if ('log' in document) {
    return { format: 'HAR', choices: parseHar(document).map(withoutUserinfo).map(choiceOf) }
  }
  if ('openapi' in document || 'swagger' in document)
    return { format: 'OpenAPI', choices: parseOpenApi({ ...document }) }
  throw unknown()
}

function unknown(): ImportError {
  return new ImportError('This is not a curl command, a HAR file or an OpenAPI document.')
}

function choiceOf(request: ImportedRequest): Imported['choices'][number] {
  return { label: `${request.method.toUpperCase()} ${request.url}`.slice(0, 200), request: () => request }
}
