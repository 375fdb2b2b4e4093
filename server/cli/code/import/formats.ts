import { readDocument } from '../../../language/script-import/document.ts'
import { nodeOf } from '../../../language/script-import/nodes.ts'
import { ImportError } from '../../../language/script-import/request.ts'
import { importCheckly } from './checkly.ts'
import type { ImportedChecks } from './checks.ts'
import { importGatus } from './gatus.ts'
import { importKuma } from './kuma.ts'
import { importCurl, importHar, importOpenApi } from './pasted.ts'
import { importPostman } from './postman.ts'

export const FORMATS = ['curl', 'har', 'openapi', 'postman', 'uptime-kuma', 'gatus', 'checkly'] as const
export type Format = (typeof FORMATS)[number]

/** Reads the file of another program. @throws ImportError */
export function importFile(format: Format, text: string): ImportedChecks {
  switch (format) {
    case 'curl':
      return importCurl(text)
    case 'har':
      return importHar(text)
    case 'openapi':
      return importOpenApi(text)
    case 'postman':
      return importPostman(nodeOf(documentOf(text)))
    case 'uptime-kuma':
      return importKuma(nodeOf(documentOf(text)))
    case 'gatus':
      return importGatus(nodeOf(documentOf(text)))
    case 'checkly':
      return importCheckly(documentOf(text))
  }
}

function documentOf(text: string): unknown {
  const document = readDocument(text)
  if (document === undefined) throw new ImportError('The file is neither JSON nor YAML.')
  return document
}
