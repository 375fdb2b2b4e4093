import { listOf, type Node, nodeOf, textOf } from '../../../language/script-import/nodes.ts'
import { ImportError, type ImportedRequest, methodOf, withQuery } from '../../../language/script-import/request.ts'
import type { VariableEntry } from '../format/files.ts'
import { CHECKS_MAX, type ImportedCheck, type ImportedChecks, Notes, variableOf } from './checks.ts'
import { keyOf, otherPlaceholders, Placeholders } from './placeholders.ts'
import { authorizationOf, bodyOfPostman, urlOfPostman } from './postman-request.ts'
import { expectationsOf, scriptsOf } from './postman-tests.ts'

const DEPTH_MAX = 20

type Context = { placeholders: Placeholders; notes: Notes; found: ImportedCheck[]; more: number }

/** Settings that the items of a folder inherit. */
type Inherited = { folders: string[]; auth: Node; scripts: ReturnType<typeof scriptsOf> }

/** Reads a collection of Postman, format 2.1: each request becomes a service. @throws ImportError */
export function importPostman(document: Node): ImportedChecks {
  const collection = 'collection' in document ? nodeOf(document.collection) : document
  if (!Array.isArray(collection.item))
    throw new ImportError('This is not a collection of Postman: it has no item list.')
  const notes = new Notes()
  const variables: Record<string, VariableEntry> = {}
  const context: Context = { placeholders: new Placeholders({}, variables, 'postman'), notes, found: [], more: 0 }
  declareVariables(collection, context)
  const inherited = { folders: [], auth: nodeOf(collection.auth), scripts: scriptsOf(collection) }
  visit(collection.item, inherited, context)
  if (context.more > 0) {
    const why = `An import has at most ${CHECKS_MAX} requests, in ${DEPTH_MAX} levels of folders.`
    notes.add('all', `${context.more} requests or folders`, why, 'Import the rest as a second collection.')
  }
  return { format: 'Postman', checks: context.found, variables, notes: context.notes.all }
}

function declareVariables(collection: Node, { placeholders, notes }: Context): void {
  for (const one of listOf(collection.variable).map(nodeOf)) {
    const name = textOf(one.key) || textOf(one.id)
    const wanted = keyOf(name)
    if (!wanted || one.disabled === true) continue
    const isSecret = one.type === 'secret'
    const entryOf = (key: string): VariableEntry =>
      isSecret ? { type: 'secret', allowedHosts: [] } : variableOf(key, String(one.value ?? ''))
    const key = placeholders.declare(name, wanted, entryOf)
    if (placeholders.shared[key]?.type === 'secret')
      notes.credential('all', `the variable ${key}`, `${key} of the project`)
  }
}

function visit(items: unknown[], inherited: Inherited, context: Context): void {
  for (const item of items.map(nodeOf)) {
    const name = textOf(item.name) || 'unnamed'
    const { folders, auth, scripts } = inherited
    const own = {
      folders: [...folders, name],
      auth: item.auth ? nodeOf(item.auth) : auth,
      scripts: [...scripts, ...scriptsOf(item)],
    }
    if (context.found.length === CHECKS_MAX || folders.length > DEPTH_MAX) context.more++
    else if (Array.isArray(item.item)) visit(item.item, own, context)
    else {
      const check = checkOf(item, own, context)
      if (check) context.found.push(check)
    }
  }
}

function checkOf(item: Node, inherited: Inherited, { placeholders, notes }: Context): ImportedCheck | null {
  const { folders, scripts } = inherited
  const name = notes.nameOf(folders.join(' / '))
  const given = typeof item.request === 'string' ? { url: item.request } : nodeOf(item.request)
  try {
    const auth = given.auth ? nodeOf(given.auth) : inherited.auth
    const request = requestOf(given, auth, nodeOf(item.protocolProfileBehavior), placeholders, name, notes)
    noteOthers(request, name, notes)
    const expected = expectationsOf(scripts, name, notes)
    return {
      name,
      labels: notes.labelsOf(name, folders.length > 1 ? folders.slice(0, 1) : []),
      isActive: notes.isSwitchedOn(name, [request]),
      requests: [{ ...request, ...expected }],
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    notes.add(name, 'the request', error.message, 'Write the script by hand.')
    return null
  }
}

function requestOf(
  request: Node,
  auth: Node,
  behavior: Node,
  { split }: Placeholders,
  name: string,
  notes: Notes,
): ImportedRequest {
  const method = methodOf(textOf(request.method) || 'get')
  const pairs = listOf(request.header)
    .map(nodeOf)
    .filter((one) => one.disabled !== true)
  const headers = pairs.map((one): [string, string] => [textOf(one.key).trim(), String(one.value ?? '')])
  const authorization = authorizationOf(auth, headers, split, name, notes)
  // Postman sends no body with GET by default.
  const isSent = method !== 'get' || behavior.disableBodyPruning === true
  const redirects = Number(behavior.maxRedirects)
  if (behavior.maxRedirects !== undefined && !(redirects >= 1 && redirects <= 10)) {
    const why = 'A script follows one to ten redirects; this one follows up to ten.'
    notes.add(name, `the maximum of ${behavior.maxRedirects} redirects`, why, 'Check redirects.max.')
  }
  return {
    method,
    url: withQuery(urlOfPostman(request.url, split), authorization.query),
    headers: [...headers, ...authorization.headers],
    body: isSent ? bodyOfPostman(nodeOf(request.body), headers, split) : null,
    split,
    secretNames: authorization.names,
    ...(behavior.followRedirects === false && { followsRedirects: false }),
    ...(redirects >= 1 && redirects <= 10 && { maxRedirects: redirects }),
    ...(behavior.strictSSL === false && { acceptsInvalidCertificates: true }),
  }
}

/** Dynamic variables, path variables without a value, and names that cannot be a key stay as they are written. */
function noteOthers({ url, headers, body }: ImportedRequest, name: string, notes: Notes): void {
  const texts = [url, ...headers.flat(), JSON.stringify(body)]
  for (const what of new Set(texts.flatMap(otherPlaceholders))) {
    const why = 'Soundline has no such variable, so the text is sent unchanged.'
    notes.add(name, what, why, 'Write a value instead.')
  }
  const [, path = ''] = /^(?:[a-z]+:\/\/)?[^/?#]*([^?#]*)/i.exec(url) ?? []
  for (const [what] of path.matchAll(/(?<=\/):[^/]+/g)) {
    notes.add(name, `the path variable ${what}`, 'It has no value, so the text is sent unchanged.', 'Write a value.')
  }
}
