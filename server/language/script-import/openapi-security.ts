import { listOf, type Node, nodeOf } from './nodes.ts'
import { resolved } from './openapi-examples.ts'
import type { ImportNote } from './request.ts'

/** How an operation signs in. Values are placeholders: each becomes a secret of the service. */
export type Credentials = {
  headers: [string, string][]
  query: string
  cookies: string[]
  /** Names of headers and query parameters that hold a credential. */
  names: string[]
  notes: ImportNote[]
}

/** The first requirement of the operation, or of the document. */
export function credentialsOf(document: Node, operation: Node): Credentials {
  const requirements = listOf(operation.security ?? document.security).map(nodeOf)
  const found: Credentials = { headers: [], query: '', cookies: [], names: [], notes: [] }
  const schemes = nodeOf(nodeOf(document.components).securitySchemes ?? document.securityDefinitions)
  const query: string[] = []
  for (const name of Object.keys(requirements[0] ?? {})) {
    const scheme = resolved(document, schemes[name])
    const key = String(scheme.name)
    const http = String(scheme.scheme).toLowerCase()
    if (scheme.type === 'apiKey') {
      if (scheme.in === 'query') query.push(`${encodeURIComponent(key)}=secret`)
      else if (scheme.in === 'cookie') found.cookies.push(`${key}=secret`)
      else found.headers.push([key, 'secret'])
      found.names.push(scheme.in === 'query' ? encodeURIComponent(key) : key)
    } else if (scheme.type === 'basic' || (scheme.type === 'http' && http === 'basic')) {
      found.headers.push(['Authorization', 'Basic secret'])
    } else if (
      scheme.type === 'oauth2' ||
      scheme.type === 'openIdConnect' ||
      (scheme.type === 'http' && http === 'bearer')
    ) {
      found.headers.push(['Authorization', 'Bearer secret'])
    } else {
      const why = 'Scripts do not support this authentication method, so the script sends no credential.'
      found.notes.push({ what: `the security scheme ${name}`, why, todo: 'Send a token in a header.' })
    }
  }
  if (requirements.length > 1) {
    const why = 'The script uses the first one.'
    const todo = 'Change the script to use another one.'
    found.notes.push({ what: `${requirements.length - 1} further authentication methods`, why, todo })
  }
  found.query = query.join('&')
  return found
}
