import { listOf, type Node, nodeOf, textOf } from '#server/script-import/nodes.ts'
import { basicAuth, bodyOf, ImportError, type ImportedRequest, methodOf } from '#server/script-import/request.ts'
import { CHECKS_MAX, type ImportedCheck, type ImportedChecks, Notes } from './checks.ts'
import { ANY_STATUS, bodyPath, contains, literal, OPERATORS, statusCondition } from './conditions.ts'

/** Reads the backup of Uptime Kuma, the JSON file of Settings > Backup. @throws ImportError */
export function importKuma(document: Node): ImportedChecks {
  const monitors = Array.isArray(document.monitorList)
    ? document.monitorList
    : Object.values(nodeOf(document.monitorList))
  if (monitors.length === 0) throw new ImportError('This is not a backup of Uptime Kuma: it has no monitorList.')
  const notes = new Notes()
  const checks = monitors.slice(0, CHECKS_MAX).flatMap((monitor) => checkOf(nodeOf(monitor), notes) ?? [])
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
  const name = textOf(monitor.name) || 'unnamed'
  const type = textOf(monitor.type)
  if (type === 'group') return null
  if (!['http', 'keyword', 'json-query'].includes(type)) {
    notes.notSupported(name, `the ${type || 'unknown'} monitor`)
    return null
  }
  try {
    const request = requestOf(monitor, name, notes)
    const schedule = notes.scheduleOf(name, Number(monitor.interval) || 60)
    noteRest(monitor, name, notes)
    const [tag] = listOf(monitor.tags)
    const retries = Number(monitor.maxretries) || 0
    return {
      name,
      label: textOf(nodeOf(tag).name).slice(0, 32) || null,
      isActive: monitor.active !== false && monitor.active !== 0,
      schedule,
      requests: [request],
      ...(retries > 0 && { alerting: { confirmFailures: Math.min(10, retries + 1) } }),
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    notes.add(name, 'the monitor', error.message, 'Write the script by hand.')
    return null
  }
}

function requestOf(monitor: Node, name: string, notes: Notes): ImportedRequest {
  const headers = Object.entries(headersOf(monitor.headers)).map(([key, value]): [string, string] => [
    key,
    String(value),
  ])
  if (textOf(monitor.basic_auth_user)) {
    headers.push(['Authorization', basicAuth(textOf(monitor.basic_auth_user), textOf(monitor.basic_auth_pass))])
  }
  const types: Record<string, string> = { form: 'application/x-www-form-urlencoded', xml: 'application/xml' }
  const type = types[textOf(monitor.httpBodyEncoding)] ?? 'application/json'
  const body = bodyOf(textOf(monitor.body), type)
  const seconds = Number(monitor.timeout)
  const redirects = monitor.maxredirects === undefined ? 10 : Number(monitor.maxredirects)
  return {
    method: methodOf(textOf(monitor.method) || 'get'),
    url: textOf(monitor.url),
    headers: body?.kind === 'text' ? [...headers, ['Content-Type', type]] : headers,
    body,
    status: ANY_STATUS,
    conditions: [statusOf(monitor, name, notes), ...contentConditions(monitor, name, notes)],
    ...((monitor.ignoreTls === true || monitor.ignoreTls === 1) && { acceptsInvalidCertificates: true }),
    ...(redirects === 0 ? { followsRedirects: false } : redirects < 10 && { maxRedirects: redirects }),
    ...(seconds > 0 && { timeoutMs: Math.min(60_000, Math.ceil(seconds * 1_000)) }),
  }
}

function statusOf(monitor: Node, name: string, notes: Notes): string {
  const codes = listOf(monitor.accepted_statuscodes).map(String)
  const condition = statusCondition(codes.length > 0 ? codes : ['200-299'])
  if (condition) return condition
  const why = 'Only codes such as 200 and ranges such as 200-299 can be read.'
  notes.add(name, `the accepted codes ${codes.join(', ')}`, why, 'Check the status that the script expects: 200.')
  return 'this.status eq 200'
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

function contentConditions(monitor: Node, name: string, notes: Notes): string[] {
  if (monitor.type === 'keyword') {
    const found = contains(textOf(monitor.keyword))
    return [monitor.invertKeyword === true || monitor.invertKeyword === 1 ? `not ${found}` : found]
  }
  if (monitor.type !== 'json-query') return []
  const path = bodyPath(textOf(monitor.jsonPath))
  const operator = OPERATORS[textOf(monitor.jsonPathOperator) || '==']
  if (path && operator) return [`${path} ${operator} ${literal(String(monitor.expectedValue))}`]
  if (path && monitor.jsonPathOperator === 'contains') return [contains(String(monitor.expectedValue), path)]
  const query = `${textOf(monitor.jsonPath)} ${textOf(monitor.jsonPathOperator)}`.trim()
  notes.add(name, `the JSON query ${query}`, 'The script language has no such query.', 'Add a condition to the script.')
  return []
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
  if (monitor.upsideDown === true || monitor.upsideDown === 1) {
    notes.add(
      name,
      'the upside down mode',
      'A service fails when its script fails.',
      'Turn the conditions of the script around.',
    )
  }
  if (monitor.proxyId)
    notes.add(name, 'the proxy', 'Agents connect directly.', 'Run an agent where the target is reachable.')
  const tags = listOf(monitor.tags).slice(1)
  if (tags.length > 0) {
    const names = tags.map((tag) => textOf(nodeOf(tag).name)).join(', ')
    notes.add(name, `the tags ${names}`, 'A service has one label.', 'Use names or projects to group services.')
  }
}
