import { listOf, type Node, nodeOf, textOf } from '../../../language/script-import/nodes.ts'
import {
  basicAuth,
  bodyOf,
  encodedText,
  headerOf,
  ImportError,
  type ImportedRequest,
  methodOf,
  withQuery,
} from '../../../language/script-import/request.ts'
import { type Split, startsWithVariable } from '../../../language/script-import/templates.ts'
import type { VariableEntry } from '../format/files.ts'
import { applyAssertions } from './checkly-assertions.ts'
import { type ImportedCheck, type ImportedChecks, Notes, variableOf } from './checks.ts'
import { Placeholders } from './placeholders.ts'

/**
 * Reads checks of Checkly: a list as its API returns it, `{checks: [...]}`, or the resources of constructs as
 * `{resources: [{type: "check", payload}]}`. @throws ImportError
 */
export function importCheckly(document: unknown): ImportedChecks {
  const notes = new Notes()
  const found = checksIn(document, notes)
  if (found.length === 0) throw new ImportError('This is not an export of Checkly: it has no checks.')
  const variables: Record<string, VariableEntry> = {}
  const checks = notes.withinLimit(found).flatMap((check) => checkOf(check, variables, notes) ?? [])
  return { format: 'Checkly', checks, variables, notes: notes.all }
}

function checksIn(document: unknown, notes: Notes): Node[] {
  const { checks, resources, data } = nodeOf(document)
  const list: unknown[] = [document, checks, resources, data].find(Array.isArray) ?? [document]
  const isCheck = (one: unknown) => !('payload' in nodeOf(one)) || textOf(nodeOf(one).type) === 'check'
  for (const type of new Set(list.filter((one) => !isCheck(one)).map((one) => textOf(nodeOf(one).type)))) {
    notes.add('all', `what has the type ${type}`, 'It is not a check.', 'Set it up in the dashboard.')
  }
  return list
    .filter(isCheck)
    .map((one) => ({ ...nodeOf(one), ...nodeOf(nodeOf(one).payload) }) as Node)
    .filter((one) => 'request' in one || 'checkType' in one)
}

function checkOf(check: Node, shared: Record<string, VariableEntry>, notes: Notes): ImportedCheck | null {
  const name = notes.nameOf(textOf(check.name) || textOf(check.logicalId))
  const type = textOf(check.checkType) || 'API'
  if (type !== 'API' && type !== 'URL') {
    const what = `the ${type.toLowerCase()} check`
    if (!/^(BROWSER|MULTI_STEP|PLAYWRIGHT)$/.test(type)) notes.notSupported(name, what)
    else notes.add(name, what, 'Its steps are code.', 'Write its requests as a script, or import a HAR file of them.')
    return null
  }
  try {
    const own = ownVariables(check, name, notes)
    const { split } = new Placeholders(own, shared)
    const { request, variables } = requestOf(nodeOf(check.request), split, check, name, notes)
    noteRest(check, name, notes)
    const schedule = notes.scheduleOf(name, secondsOf(check.frequency))
    return {
      name,
      labels: notes.labelsOf(name, listOf(check.tags).map(String)),
      isActive: notes.isSwitchedOn(name, [request], check.activated !== false),
      schedule,
      requests: [request],
      variables: { ...own, ...variables },
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
    if (typeof key !== 'string' || !/^[A-Za-z_]\w{0,63}$/.test(key)) {
      const why = 'A variable has letters, digits and underscores in its name.'
      notes.add(name, `the variable ${String(key)}`, why, 'Give it another name in the script.')
      return []
    }
    if (locked === true || secret === true) return [[key, { type: 'secret', allowedHosts: [] }]]
    const entry = variableOf(key, String(value ?? ''))
    if (entry.type === 'secret') notes.credential(name, `the variable ${key}`, `${key} of this service`)
    return [[key, entry]]
  })
  return Object.fromEntries(entries)
}

/** In milliseconds: the default of an API check, and of a URL monitor. No check may take longer. */
const RESPONSE_TIME = { api: 20_000, url: 5_000, most: 30_000 }

function requestOf(request: Node, split: Split, check: Node, name: string, notes: Notes) {
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
    ([key, value]) => `${encodedText(key)}=${encodedText(value, split)}`,
  )
  const url = textOf(request.url)
  if (!/^https?:\/\//i.test(url) && !startsWithVariable(split, url))
    throw new ImportError(`Its URL is not an HTTP URL: ${url}`)
  const { api, url: ofUrl, most } = RESPONSE_TIME
  const maxMs = Math.min(most, Number(check.maxResponseTime) || (check.checkType === 'URL' ? ofUrl : api))
  const base: ImportedRequest = {
    method: methodOf(textOf(request.method) || 'get'),
    url: withQuery(url, search.join('&')),
    headers,
    body: request.bodyType === 'NONE' ? null : bodyOf(textOf(request.body), type),
    split,
    scopes: [`totalDelayMs: { value: ${Math.trunc(maxMs)}, op: "lte" }`],
    ...(request.followRedirects === false && { followsRedirects: false }),
    ...(request.skipSSL === true && { acceptsInvalidCertificates: true }),
  }
  const assertions = listOf(request.assertions).map(nodeOf)
  return applyAssertions(base, { assertions, mayBeError: check.shouldFail === true }, name, notes)
}

const SETTINGS: Record<string, [why: string, todo: string]> = {
  degradedResponseTime: [
    'A service passes or fails.',
    'Add a check of totalDelayMs, which is recorded and fails nothing.',
  ],
  doubleCheck: ['A failed run is rechecked once, unless its script writes.', 'Set recheckSeconds or recheckWrites.'],
  retryStrategy: ['A failed run is rechecked once, unless its script writes.', 'Set recheckSeconds or recheckWrites.'],
  muted: ['Alerts are not part of a check.', 'Silence the service.'],
  groupId: ['What the group sets for its checks is not in the check.', 'Add its headers and assertions to the script.'],
}

function noteRest(check: Node, name: string, notes: Notes): void {
  const { setupSnippetId, tearDownSnippetId, localSetupScript, localTearDownScript, setupScript, tearDownScript } =
    check
  if (setupSnippetId || localSetupScript || setupScript) {
    notes.lose(
      name,
      'the setup script',
      'It is code.',
      'Add a call before the first one, and keep its response with .store.',
    )
  }
  if (tearDownSnippetId || localTearDownScript || tearDownScript) {
    notes.lose(
      name,
      'the teardown script',
      'It is code that can change the response before the assertions.',
      'Add a call at the end of the script.',
    )
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
  for (const [setting, [why, todo]] of Object.entries(SETTINGS)) {
    const value = check[setting]
    if (value) notes.add(name, `the setting ${setting}`, why, todo)
  }
  if (nodeOf(check.request).ipFamily === 'IPv6') {
    notes.add(
      name,
      'the address family',
      'A probe uses the first address that accepts the connection.',
      'Name a host with IPv6 only.',
    )
  }
}
