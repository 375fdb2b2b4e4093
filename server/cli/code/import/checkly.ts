import { listOf, type Node, nodeOf, textOf } from '#server/script-import/nodes.ts'
import {
  basicAuth,
  bodyOf,
  headerOf,
  ImportError,
  type ImportedRequest,
  methodOf,
} from '#server/script-import/request.ts'
import type { Split } from '#server/script-import/templates.ts'
import type { VariableEntry } from '../format/files.ts'
import { applyAssertions } from './checkly-assertions.ts'
import { CHECKS_MAX, type ImportedCheck, type ImportedChecks, Notes, variableOf } from './checks.ts'
import { Placeholders } from './placeholders.ts'

/**
 * Reads checks of Checkly: a list as its API returns it, `{checks: [...]}`, or the resources of constructs as
 * `{resources: [{type: "check", payload}]}`. @throws ImportError
 */
export function importCheckly(document: unknown): ImportedChecks {
  const found = checksIn(document)
  if (found.length === 0) throw new ImportError('This is not an export of Checkly: it has no checks.')
  const notes = new Notes()
  const variables: Record<string, VariableEntry> = {}
  const checks = found.slice(0, CHECKS_MAX).flatMap((check) => checkOf(check, variables, notes) ?? [])
  return { format: 'Checkly', checks, variables, notes: notes.all }
}

function checksIn(document: unknown): Node[] {
  const { checks, resources, data } = nodeOf(document)
  const list = [document, checks, resources, data].find(Array.isArray) ?? [document]
  return list
    .filter((one) => !('payload' in nodeOf(one)) || textOf(nodeOf(one).type) === 'check')
    .map((one) => ({ ...nodeOf(one), ...nodeOf(nodeOf(one).payload) }) as Node)
    .filter((one) => 'request' in one || 'checkType' in one)
}

function checkOf(check: Node, shared: Record<string, VariableEntry>, notes: Notes): ImportedCheck | null {
  const name = textOf(check.name) || textOf(check.logicalId) || 'unnamed'
  const type = textOf(check.checkType) || 'API'
  if (type !== 'API' && type !== 'URL') {
    const what = `the ${type.toLowerCase()} check`
    if (!/^(BROWSER|MULTI_STEP|PLAYWRIGHT)$/.test(type)) notes.notSupported(name, what)
    else
      notes.add(name, what, 'Its steps are a program.', 'Write its requests as a script, or import a HAR file of them.')
    return null
  }
  try {
    const own = ownVariables(check, name, notes)
    const { split } = new Placeholders(own, shared)
    const request = requestOf(nodeOf(check.request), split, check, name, notes)
    const schedule = notes.scheduleOf(name, secondsOf(check.frequency))
    noteRest(check, name, notes)
    return {
      name,
      label: String(listOf(check.tags)[0] ?? '').slice(0, 32) || null,
      isActive: check.activated !== false,
      schedule,
      requests: [request],
      ...(Object.keys(own).length > 0 && { variables: own }),
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    notes.add(name, 'the check', error.message, 'Write the script by hand.')
    return null
  }
}

/** Minutes, or a frequency of a construct. */
function secondsOf(frequency: unknown): number {
  const minutes = Number(typeof frequency === 'object' ? nodeOf(frequency).frequency : (frequency ?? 10))
  return minutes > 0 ? minutes * 60 : 30
}

function ownVariables(check: Node, name: string, notes: Notes): Record<string, VariableEntry> {
  const entries = listOf(check.environmentVariables).flatMap((one): [string, VariableEntry][] => {
    const { key, value, locked, secret } = nodeOf(one)
    if (typeof key !== 'string' || !/^[A-Za-z_]\w{0,63}$/.test(key)) return []
    if (locked === true || secret === true) return [[key, { type: 'secret', allowedHosts: [] }]]
    const entry = variableOf(key, String(value ?? ''))
    if (entry.type === 'secret') notes.credential(name, `the variable ${key}`, `${key} of this service`)
    return [[key, entry]]
  })
  return Object.fromEntries(entries)
}

function requestOf(request: Node, split: Split, check: Node, name: string, notes: Notes): ImportedRequest {
  const pairs = (list: unknown): [string, string][] =>
    listOf(list).map((one): [string, string] => [String(nodeOf(one).key ?? ''), String(nodeOf(one).value ?? '')])
  const headers = pairs(request.headers).filter(([key]) => key !== '')
  const { username, password } = nodeOf(request.basicAuth)
  if (textOf(username)) headers.push(['Authorization', basicAuth(textOf(username), textOf(password), split)])
  const types: Record<string, string> = {
    JSON: 'application/json',
    GRAPHQL: 'application/json',
    FORM: 'application/x-www-form-urlencoded',
  }
  const type = headerOf(headers, 'content-type') || types[textOf(request.bodyType)] || ''
  const search = pairs(request.queryParameters).map(
    ([key, value]) => `${encodeURIComponent(key)}=${encoded(value, split)}`,
  )
  const url = textOf(request.url)
  const maxMs = Number(check.maxResponseTime)
  const base: ImportedRequest = {
    method: methodOf(textOf(request.method) || 'get'),
    url: search.length > 0 ? `${url}${url.includes('?') ? '&' : '?'}${search.join('&')}` : url,
    headers,
    body: bodyOf(textOf(request.body), type),
    split,
    ...(maxMs > 0 && { scopes: [`totalDelayMs: ${Math.trunc(maxMs)}`] }),
    ...(request.followRedirects === false && { followsRedirects: false }),
    ...(request.skipSSL === true && { acceptsInvalidCertificates: true }),
  }
  const assertions = listOf(request.assertions).map(nodeOf)
  return applyAssertions(base, { assertions, mayBeError: check.shouldFail === true }, name, notes)
}

/** What stands for a variable is kept. */
function encoded(value: string, split: Split): string {
  const parts = split(value).map((part) => (typeof part === 'string' ? encodeURIComponent(part) : part.source))
  return parts.join('')
}

function noteRest(check: Node, name: string, notes: Notes): void {
  const { setupSnippetId, tearDownSnippetId, localSetupScript, localTearDownScript, setupScript, tearDownScript } =
    check
  if (setupSnippetId || localSetupScript || setupScript) {
    notes.add(
      name,
      'the setup script',
      'It is a program.',
      'Add a call before the first one, and keep its answer with .store.',
    )
  }
  if (tearDownSnippetId || localTearDownScript || tearDownScript) {
    notes.add(name, 'the teardown script', 'It is a program.', 'Add a call at the end of the script.')
  }
  const places = [...listOf(check.locations), ...listOf(check.privateLocations)]
  if (places.length > 0) {
    notes.add(
      name,
      `the locations ${places.join(', ')}`,
      'Agents of an installation have other names.',
      'Name agents under agents.',
    )
  }
  if (listOf(check.alertChannelSubscriptions).length > 0 || listOf(check.alertChannels).length > 0) {
    notes.add(name, 'the alert channels', 'They hold credentials of other services.', 'Name webhooks under webhooks.')
  }
  const tags = listOf(check.tags).slice(1)
  if (tags.length > 0) {
    notes.add(
      name,
      `the tags ${tags.join(', ')}`,
      'A service has one label.',
      'Use names or projects to group services.',
    )
  }
}
