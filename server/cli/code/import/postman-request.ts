import { listOf, type Node, nodeOf, textOf } from '../../../language/script-import/nodes.ts'
import {
  basicAuth,
  bodyOf,
  encodedText,
  formBody,
  headerOf,
  ImportError,
  type ImportedBody,
  withScheme,
} from '../../../language/script-import/request.ts'
import type { Split } from '../../../language/script-import/templates.ts'
import type { Notes } from './checks.ts'

// The parts of a request of Postman.

/** The URL with its path variables, without entries that are switched off. @throws ImportError */
export function urlOfPostman(url: unknown, split: Split): string {
  const node = nodeOf(url)
  const text = (typeof url === 'string' ? url : textOf(node.raw) || joined(node)).trim()
  if (text === '') throw new ImportError('The request has no URL.')
  const enabled = listOf(node.variable)
    .map(nodeOf)
    .filter((one) => one.disabled !== true && (one.value ?? '') !== '')
  const values = new Map(enabled.map((one) => [textOf(one.key) || textOf(one.id), String(one.value)]))
  const [, before = '', hash = ''] = /^([^#]*)(#.*)?$/s.exec(text) ?? []
  const [, path = '', search = ''] = /^([^?]*)(\?.*)?$/s.exec(before) ?? []
  const filled = path.replaceAll(/(?<!:)\/:([^/]+)/g, (whole, key: string) => {
    const value = values.get(key)
    return value === undefined ? whole : `/${value}`
  })
  return withScheme(`${filled}${enabledQuery(search, listOf(node.query).map(nodeOf))}${hash}`, split)
}

/** Without entries that are switched off, which some versions write into the whole URL too. */
function enabledQuery(search: string, query: Node[]): string {
  if (!query.some((one) => one.disabled === true)) return search
  const pairs = query
    .filter((one) => one.disabled !== true)
    .map((one) => (one.value === null || one.value === undefined ? textOf(one.key) : `${one.key}=${one.value}`))
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** The URL of its parts, when the whole one is missing. */
function joined({ protocol, host, port, path, query }: Node): string {
  const text = (value: unknown, separator: string) =>
    Array.isArray(value)
      ? value.map((one) => (typeof one === 'string' ? one : textOf(nodeOf(one).value))).join(separator)
      : textOf(value)
  const name = text(host, '.')
  if (name === '') return ''
  const pairs = listOf(query)
    .map(nodeOf)
    .map((one) => `${one.key}=${one.value ?? ''}`)
  const before = textOf(protocol) ? `${textOf(protocol).replace(/:.*$/, '')}://` : ''
  const after = `${textOf(port) && `:${textOf(port)}`}/${text(path, '/').replace(/^\//, '')}`
  return `${before}${name}${after}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}

/** `[{key, value}]` in version 2.1 of the format, an object in 2.0. */
function settings(auth: Node): Node {
  const given = auth[textOf(auth.type)]
  if (!Array.isArray(given)) return nodeOf(given)
  const enabled = given.map(nodeOf).filter(({ disabled }) => disabled !== true)
  return Object.fromEntries(enabled.map(({ key, value }) => [textOf(key), value]))
}

/** `names` are those of headers and query parameters that hold a credential. */
type Authorization = { headers: [string, string][]; query: string; names: string[] }

export function authorizationOf(
  auth: Node,
  headers: [string, string][],
  split: Split,
  name: string,
  notes: Notes,
): Authorization {
  const none = { headers: [], query: '', names: [] }
  const given = settings(auth)
  const text = (key: string) => String(given[key] ?? '')
  const header = (value: string): Authorization => ({ ...none, headers: [['Authorization', value]] })
  if (headerOf(headers, 'authorization') !== '') return none
  switch (textOf(auth.type)) {
    case '':
    case 'noauth':
      return none
    case 'bearer':
      return header(`Bearer ${text('token')}`)
    case 'basic':
      return header(basicAuth(text('username'), text('password'), split))
    case 'apikey': {
      const key = text('key') || 'X-API-Key'
      if (text('in') !== 'query') return { ...none, headers: [[key, text('value')]], names: [key] }
      const named = encodedText(key, split)
      return { ...none, query: `${named}=${encodedText(text('value'), split)}`, names: [named] }
    }
    default:
  }
  const why = 'Soundline does not compute it.'
  notes.add(name, `the authorization by ${textOf(auth.type)}`, why, 'Send a token in a header.')
  return none
}

/** The type that Postman sends for the language of a raw body. */
const TYPES: Record<string, string> = {
  ...{ json: 'application/json', xml: 'application/xml', html: 'text/html', text: 'text/plain' },
  javascript: 'application/javascript',
}

/** @throws ImportError for a body that scripts cannot send */
export function bodyOfPostman(body: Node, headers: [string, string][], split: Split): ImportedBody | null {
  if (body.disabled === true) return null
  const type = headerOf(headers, 'content-type')
  switch (textOf(body.mode)) {
    case 'raw': {
      const { language } = nodeOf(nodeOf(body.options).raw)
      return bodyOf(textOf(body.raw), type || (TYPES[textOf(language)] ?? 'text/plain'), split)
    }
    case 'urlencoded': {
      const fields = enabledOf(body.urlencoded)
      if (fields.length === 0) return null
      return formBody(
        fields.map((one): [string, string] => [textOf(one.key), String(one.value ?? '')]),
        split,
      )
    }
    case 'graphql': {
      const { query, variables, operationName } = nodeOf(body.graphql)
      const name = textOf(operationName) ? `,"operationName":${JSON.stringify(operationName)}` : ''
      const text = `{"query":${JSON.stringify(textOf(query))}${name},"variables":${textOf(variables).trim() || '{}'}}`
      return bodyOf(text, type || 'application/json', split)
    }
    case 'formdata':
      if (enabledOf(body.formdata).length === 0) return null
      throw new ImportError('Scripts cannot send multipart forms.')
    case 'file':
      throw new ImportError('Its body is a file.')
    default:
      return null
  }
}

function enabledOf(list: unknown): Node[] {
  return listOf(list)
    .map(nodeOf)
    .filter((one) => one.disabled !== true)
}
