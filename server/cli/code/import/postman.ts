import { listOf, type Node, nodeOf, textOf } from '#server/script-import/nodes.ts'
import {
  basicAuth,
  bodyOf,
  headerOf,
  ImportError,
  type ImportedBody,
  type ImportedRequest,
  methodOf,
} from '#server/script-import/request.ts'
import { type Split, startsWithVariable } from '#server/script-import/templates.ts'
import type { VariableEntry } from '../format/files.ts'
import { CHECKS_MAX, type ImportedCheck, type ImportedChecks, Notes, variableOf } from './checks.ts'
import { keyOf, Placeholders } from './placeholders.ts'

const DEPTH_MAX = 20

type Context = { placeholders: Placeholders; notes: Notes; found: ImportedCheck[] }

/** Reads a collection of Postman, format 2.1: each request becomes a service. @throws ImportError */
export function importPostman(document: Node): ImportedChecks {
  const collection = 'collection' in document ? nodeOf(document.collection) : document
  if (!Array.isArray(collection.item))
    throw new ImportError('This is not a collection of Postman: it has no item list.')
  const notes = new Notes()
  const variables: Record<string, VariableEntry> = {}
  for (const one of listOf(collection.variable).map(nodeOf)) {
    const key = keyOf(textOf(one.key) || textOf(one.id))
    if (!key) continue
    const isSecret = one.type === 'secret'
    const entry = isSecret ? { type: 'secret' as const, allowedHosts: [] } : variableOf(key, String(one.value ?? ''))
    if (entry.type === 'secret' && !isSecret) notes.credential('all', `the variable ${key}`, `${key} of the project`)
    variables[key] = entry
  }
  const context: Context = { placeholders: new Placeholders({}, variables), notes, found: [] }
  visit(collection.item, [], nodeOf(collection.auth), context, 0)
  return { format: 'Postman', checks: context.found, variables, notes: context.notes.all }
}

function visit(items: unknown, folders: string[], auth: Node, context: Context, depth: number): void {
  if (depth > DEPTH_MAX || !Array.isArray(items)) return
  for (const item of items.map(nodeOf)) {
    if (context.found.length === CHECKS_MAX) return
    const name = textOf(item.name) || 'unnamed'
    const own = 'auth' in item ? nodeOf(item.auth) : auth
    if (Array.isArray(item.item)) visit(item.item, [...folders, name], own, context, depth + 1)
    else {
      const check = checkOf(item, [...folders, name].join(' / '), folders[0] ?? null, own, context)
      if (check) context.found.push(check)
    }
  }
}

function checkOf(
  item: Node,
  name: string,
  folder: string | null,
  auth: Node,
  { placeholders, notes }: Context,
): ImportedCheck | null {
  const given = typeof item.request === 'string' ? { url: item.request } : nodeOf(item.request)
  try {
    const request = requestOf(given, 'auth' in given ? nodeOf(given.auth) : auth, placeholders.split, name, notes)
    const isActive = notes.isSwitchedOn(name, [request])
    const status = statusIn(item, name, notes)
    return {
      name,
      label: folder?.slice(0, 32) ?? null,
      isActive,
      requests: [{ ...request, ...(status && { status }) }],
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    notes.add(name, 'the request', error.message, 'Write the script by hand.')
    return null
  }
}

function requestOf(request: Node, auth: Node, split: Split, name: string, notes: Notes): ImportedRequest {
  const pairs = listOf(request.header)
    .map(nodeOf)
    .filter((one) => one.disabled !== true)
  const headers = pairs.map((one): [string, string] => [textOf(one.key), String(one.value ?? '')])
  return {
    method: methodOf(textOf(request.method) || 'get'),
    url: urlOf(request.url, split),
    headers: [...headers, ...authHeaders(auth, headers, split, name, notes)],
    body: readBody(nodeOf(request.body), headers),
    split,
  }
}

function urlOf(url: unknown, split: Split): string {
  const { raw, variable } = nodeOf(url)
  const text = (typeof url === 'string' ? url : textOf(raw)).trim()
  if (text === '') throw new ImportError('The request has no URL.')
  const values = new Map(listOf(variable).map((one) => [textOf(nodeOf(one).key), String(nodeOf(one).value ?? '')]))
  const filled = text.replaceAll(/\/:([^/?#]+)/g, (whole, key: string) => `/${values.get(key) ?? whole.slice(1)}`)
  return /^[a-z][a-z0-9+.-]*:/i.test(filled) || startsWithVariable(split, filled) ? filled : `http://${filled}`
}

/** `[{key, value}]` in version 2.1 of the format, an object in 2.0. */
function settings(auth: Node): Node {
  const given = auth[textOf(auth.type)]
  if (!Array.isArray(given)) return nodeOf(given)
  return Object.fromEntries(given.map(nodeOf).map(({ key, value }) => [textOf(key), value]))
}

function authHeaders(
  auth: Node,
  headers: [string, string][],
  split: Split,
  name: string,
  notes: Notes,
): [string, string][] {
  const given = settings(auth)
  const text = (key: string) => String(given[key] ?? '')
  if (headerOf(headers, 'authorization') !== '') return []
  switch (textOf(auth.type)) {
    case '':
    case 'noauth':
      return []
    case 'bearer':
      return [['Authorization', `Bearer ${text('token')}`]]
    case 'basic':
      return [['Authorization', basicAuth(text('username'), text('password'), split)]]
    case 'apikey':
      if (text('in') !== 'query') return [[text('key') || 'X-API-Key', text('value')]]
      break
    default:
  }
  notes.add(
    name,
    `the authorization by ${textOf(auth.type)}`,
    'Soundline does not compute it.',
    'Send a token in a header.',
  )
  return []
}

function readBody(body: Node, headers: [string, string][]): ImportedBody | null {
  const type = headerOf(headers, 'content-type')
  switch (textOf(body.mode)) {
    case 'raw': {
      const { language } = nodeOf(nodeOf(body.options).raw)
      return bodyOf(textOf(body.raw), type || (language === 'json' ? 'application/json' : ''))
    }
    case 'urlencoded': {
      const fields = listOf(body.urlencoded)
        .map(nodeOf)
        .filter((one) => one.disabled !== true)
      const named = fields.map((one): [string, string] => [textOf(one.key), String(one.value ?? '')])
      if (new Set(named.map(([key]) => key)).size < named.length)
        throw new ImportError('A field of its form occurs twice.')
      return { kind: 'form', fields: named }
    }
    case 'graphql': {
      const { query, variables } = nodeOf(body.graphql)
      return bodyOf(
        `{"query":${JSON.stringify(textOf(query))},"variables":${textOf(variables) || '{}'}}`,
        'application/json',
      )
    }
    case 'formdata':
      throw new ImportError('Scripts cannot send multipart forms.')
    case 'file':
      throw new ImportError('Its body is a file.')
    default:
      return null
  }
}

/** The status that a test of the request expects; everything else in tests is a program. */
function statusIn(item: Node, name: string, notes: Notes): number | null {
  const scripts = listOf(item.event)
    .map(nodeOf)
    .flatMap(({ listen, script }) => {
      const { exec } = nodeOf(script)
      const text = (Array.isArray(exec) ? exec.join('\n') : textOf(exec)).trim()
      return text === '' ? [] : [{ listen: textOf(listen), text }]
    })
  const tests = scripts
    .filter(({ listen }) => listen === 'test')
    .map(({ text }) => text)
    .join('\n')
  const [, status] = /to\.have\.status\(\s*(\d{3})\s*\)/.exec(tests) ?? []
  const others = (tests.match(/pm\.(expect|response\.to)/g) ?? []).length - (status ? 1 : 0)
  if (others > 0)
    notes.add(name, `${others} assertions of its tests`, 'They are a program.', 'Add conditions to the script.')
  if (scripts.some(({ listen }) => listen === 'prerequest')) {
    notes.add(
      name,
      'the pre-request script',
      'It is a program.',
      'Add a call before this one, and keep its answer with .store.',
    )
  }
  return status ? Number(status) : null
}
