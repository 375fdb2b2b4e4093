import { listOf, type Node, nodeOf, textOf } from '../../../language/script-import/nodes.ts'
import {
  basicAuth,
  bodyOf,
  headerOf,
  ImportError,
  type ImportedRequest,
  methodOf,
  parseUrl,
} from '../../../language/script-import/request.ts'
import { numberIs, readPath, type Step, textContains, textIs, valueAt } from './body-schema.ts'
import { isFoundOtherwise } from './body-text.ts'
import { type ImportedCheck, type ImportedChecks, Notes } from './checks.ts'
import { ANY_STATUS, contains, OPERATORS, statusCondition } from './conditions.ts'
import { expecting, type Kept, type Read } from './expectations.ts'

/** Reads the backup of Uptime Kuma, the JSON file of Settings > Backup. @throws ImportError */
export function importKuma(document: Node): ImportedChecks {
  const monitors = Array.isArray(document.monitorList)
    ? document.monitorList
    : Object.values(nodeOf(document.monitorList))
  if (monitors.length === 0) throw new ImportError('This is not a backup of Uptime Kuma: it has no monitorList.')
  const notes = new Notes()
  const checks = notes.withinLimit(monitors).flatMap((monitor) => checkOf(nodeOf(monitor), notes) ?? [])
  if (listOf(document.notificationList).length > 0) {
    notes.add(
      'all',
      'notifications',
      'They hold credentials of other services.',
      'Create webhooks in the dashboard, and name them under webhooks.',
    )
  }
  return { format: 'Uptime Kuma', checks, variables: {}, notes: notes.all }
}

function checkOf(monitor: Node, notes: Notes): ImportedCheck | null {
  const name = notes.nameOf(textOf(monitor.name))
  const type = textOf(monitor.type)
  if (type === 'group') {
    notes.add(name, 'the group', 'It is not a check.', 'Use labels or projects to group services.')
    return null
  }
  if (!['http', 'keyword', 'json-query'].includes(type)) {
    notes.notSupported(name, `the ${type || 'unknown'} monitor`)
    return null
  }
  try {
    const { request, variables } = requestOf(monitor, name, notes)
    const schedule = notes.scheduleOf(name, Number(monitor.interval) || 60)
    noteRest(monitor, name, notes)
    const tags = listOf(monitor.tags).map((tag) => textOf(nodeOf(tag).name))
    const retries = Number(monitor.maxretries) || 0
    return {
      name,
      labels: notes.labelsOf(name, tags),
      isActive: notes.isSwitchedOn(name, [request], monitor.active === undefined || isOn(monitor.active)),
      schedule,
      requests: [request],
      variables,
      ...(retries > 0 && { alerting: { confirmFailures: notes.confirmFailuresOf(name, retries + 1) } }),
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    notes.add(name, 'the monitor', error.message, 'Write the script by hand.')
    return null
  }
}

/** Backups have booleans as such, or as the database has them. */
function isOn(value: unknown): boolean {
  return value === true || value === 1
}

const REDIRECTS_MAX = 10

function requestOf(monitor: Node, name: string, notes: Notes) {
  const url = textOf(monitor.url)
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? '')) throw new ImportError(`It has no HTTP URL: ${url}`)
  const headers = Object.entries(headersOf(monitor.headers)).map(([key, value]): [string, string] => [
    key,
    String(value),
  ])
  if (textOf(monitor.basic_auth_user)) {
    headers.push(['Authorization', basicAuth(textOf(monitor.basic_auth_user), textOf(monitor.basic_auth_pass))])
  }
  const types: Record<string, string> = { form: 'application/x-www-form-urlencoded', xml: 'text/xml; charset=utf-8' }
  const type = types[textOf(monitor.httpBodyEncoding)] ?? 'application/json'
  const body = bodyOf(textOf(monitor.body), headerOf(headers, 'content-type') || type)
  // Without a timeout of its own, a monitor has four fifths of its interval.
  const seconds = Number(monitor.timeout) || (Number(monitor.interval) || 60) * 0.8
  const redirects = monitor.maxredirects === undefined ? REDIRECTS_MAX : Number(monitor.maxredirects)
  if (redirects > REDIRECTS_MAX) {
    const why = `A call follows at most ${REDIRECTS_MAX} redirects.`
    notes.add(name, `the limit of ${redirects} redirects`, why, 'Nothing, unless the page needs more.')
  }
  const request: ImportedRequest = {
    method: methodOf(textOf(monitor.method) || 'get'),
    url,
    headers,
    body,
    status: ANY_STATUS,
    timeoutMs: notes.timeoutOf(name, seconds),
    ...(isOn(monitor.ignoreTls) && { acceptsInvalidCertificates: true }),
    ...(redirects === 0 ? { followsRedirects: false } : redirects < REDIRECTS_MAX && { maxRedirects: redirects }),
  }
  return expecting(request, [statusOf(monitor), ...contentOf(monitor)], name, notes)
}

function statusOf(monitor: Node): Read {
  const codes = listOf(monitor.accepted_statuscodes).map(String)
  const condition = statusCondition(codes.length > 0 ? codes : ['200-299'])
  return { text: `the accepted codes ${codes.join(', ')}`, kept: condition === null ? null : { condition } }
}

/** The backup has headers as JSON in a string. */
function headersOf(headers: unknown): Node {
  if (typeof headers !== 'string' || headers.trim() === '') return nodeOf(headers)
  try {
    return nodeOf(JSON.parse(headers))
  } catch {
    throw new ImportError('Its headers are not JSON.')
  }
}

function contentOf(monitor: Node): Read[] {
  if (monitor.type === 'keyword') {
    const keyword = textOf(monitor.keyword)
    const found = contains(keyword)
    const differs = isFoundOtherwise(keyword) && { differs: WRITTEN_ANEW }
    const text = `the keyword ${keyword}`
    return [{ text, kept: { condition: isOn(monitor.invertKeyword) ? `not ${found}` : found, ...differs } }]
  }
  if (monitor.type !== 'json-query') return []
  const operator = textOf(monitor.jsonPathOperator) || '=='
  const value = String(monitor.expectedValue ?? '')
  const query = `the JSON query ${textOf(monitor.jsonPath)} ${operator} ${value}`
  const path = queryPath(textOf(monitor.jsonPath))
  return [{ text: query, kept: path && queried(path, operator, value) }]
}

const WRITTEN_ANEW =
  'JSON is reformatted before the search only if the content type says JSON. Uptime Kuma reformats every body that is JSON.'
const NO_NUMBER = 'Only a number passes here. Uptime Kuma also accepts a number in a string.'
const NO_TEXT = 'Only a string can contain it here. Uptime Kuma converts numbers to strings.'
const NO_JSON = 'A body that is not JSON fails here. Uptime Kuma compares it as a string.'

/** The paths of JSONata that are only names and indexes. */
function queryPath(text: string): Step[] | null {
  const path = text.trim().replace(/^\$\.?/, '')
  return /^[A-Za-z_]\w*(\[\d+\]|\.[A-Za-z_]\w*)*$|^(\[\d+\])(\[\d+\]|\.[A-Za-z_]\w*)*$|^$/.test(path)
    ? readPath(path)
    : null
}

/** Uptime Kuma compares texts, and fails where the path has no value, a list or an object. */
function queried(path: Step[], operator: string, value: string): Kept | null {
  const differs = path.length === 0 && { differs: NO_JSON }
  const limit = /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : null
  switch (operator) {
    case '==':
      return { schema: valueAt(path, textIs(value)), ...differs }
    case '!=':
      return { schema: valueAt(path, { type: ['string', 'number', 'boolean'], not: textIs(value) }), ...differs }
    case 'contains':
      return { schema: valueAt(path, textContains(value)), differs: NO_TEXT }
    default: {
      const ordered = OPERATORS[operator]
      return ordered && limit !== null ? { schema: valueAt(path, numberIs(ordered, limit)), differs: NO_NUMBER } : null
    }
  }
}

function noteRest(monitor: Node, name: string, notes: Notes): void {
  const auth = textOf(monitor.authMethod)
  if (auth && auth !== 'basic' && auth !== 'null') {
    notes.add(
      name,
      `the authentication by ${auth}`,
      'Soundline does not have this method.',
      'Send a token in a header.',
    )
  }
  if (isOn(monitor.upsideDown)) {
    notes.lose(
      name,
      'the upside down mode',
      'A service fails when its script fails.',
      'Invert the conditions of the script.',
    )
  }
  const retry = Number(monitor.retryInterval)
  if (Number(monitor.maxretries) > 0 && retry > 0 && retry !== Number(monitor.interval)) {
    notes.add(name, `the retry interval of ${retry} s`, 'Retries follow the schedule.', 'Check the schedule.')
  }
  if (Number(monitor.resendInterval) > 0) {
    notes.add(name, `the resend interval of ${monitor.resendInterval}`, 'It counts failures.', 'Set remindMinutes.')
  }
  if (textOf(monitor.description)) {
    notes.add(name, 'the description', 'A service has none.', 'Write it as a comment into the script.')
  }
  if (isOn(monitor.cacheBust)) notes.add(name, 'the cache buster', 'Scripts have no random values.', 'Nothing.')
  if (monitor.parent)
    notes.add(name, 'its group', 'Groups are not checks.', 'Use labels or projects to group services.')
  if (monitor.proxyId)
    notes.add(name, 'the proxy', 'Agents connect directly.', 'Run an agent where the target is reachable.')
}
