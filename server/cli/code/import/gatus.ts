import { listOf, type Node, namesBeside, nodeOf, textOf } from '../../../language/script-import/nodes.ts'
import {
  bodyOf,
  headerOf,
  ImportError,
  type ImportedRequest,
  methodOf,
} from '../../../language/script-import/request.ts'
import { plainText, type Split, splitBy, startsWithVariable } from '../../../language/script-import/templates.ts'
import type { VariableEntry } from '../format/files.ts'
import { type ImportedCheck, type ImportedChecks, Notes } from './checks.ts'
import { ANY_STATUS } from './conditions.ts'
import { secondsOf } from './every.ts'
import { expecting } from './expectations.ts'
import { readCondition } from './gatus-conditions.ts'

/** Reads the configuration of Gatus. @throws ImportError */
export function importGatus(document: Node): ImportedChecks {
  const endpoints = Array.isArray(document.endpoints) ? document.endpoints : document.services
  if (!Array.isArray(endpoints)) throw new ImportError('This is not a configuration of Gatus: it has no endpoints.')
  const notes = new Notes()
  const variables: Record<string, VariableEntry> = {}
  const split = environmentSplit(variables, notes)
  const checks = notes.withinLimit(endpoints).flatMap((endpoint) => checkOf(nodeOf(endpoint), split, notes) ?? [])
  for (const [section, todo] of Object.entries(SECTIONS)) {
    if (document[section] !== undefined) notes.add('all', `the section ${section}`, 'It is not part of a check.', todo)
  }
  return { format: 'Gatus', checks, variables, notes: notes.all }
}

const SECTIONS: Record<string, string> = {
  alerting: 'Create webhooks in the dashboard, and name them under webhooks.',
  maintenance: 'Write it as the serviceWindow of each service.',
  suites: 'Write a suite as one script with several calls.',
  remote: 'Import the configuration of each instance.',
  tunneling: 'Run an agent where the target is reachable.',
  'external-endpoints': 'Let the external job use a script that asks for its state.',
}

/**
 * `$NAME` and `${NAME}` in the configuration are environment variables of Gatus, which become secrets of the project. `$$`
 * is a dollar sign.
 */
function environmentSplit(variables: Record<string, VariableEntry>, notes: Notes): Split {
  return splitBy(/\$\$|\$\{(\w+)\}|\$(\w+)/g, ([matched, braced, plain]) => {
    if (matched === '$$') return { text: '$' }
    const name = braced ?? plain ?? ''
    if (!/^[A-Za-z_]\w{0,63}$/.test(name)) return null
    if (!Object.hasOwn(variables, name)) {
      variables[name] = { type: 'secret', allowedHosts: [] }
      const why = 'Its value is not in the configuration.'
      notes.add('all', `the environment variable ${name}`, why, `Set it when you apply: it is a secret of the project.`)
    }
    return `p.${name}`
  })
}

/** The fields of an endpoint that Gatus and this import read. */
const SETTINGS = [
  ...['name', 'group', 'url', 'method', 'headers', 'body', 'graphql', 'interval', 'enabled', 'conditions', 'alerts'],
  ...['client', 'dns', 'ssh'],
]
const CLIENT_SETTINGS = ['insecure', 'ignore-redirect', 'timeout']
/** As Gatus, when the endpoint names none. */
const TIMEOUT_S = 10
const INTERVAL_S = 60

function checkOf(endpoint: Node, split: Split, notes: Notes): ImportedCheck | null {
  const name = notes.nameOf(plainText(split, textOf(endpoint.name)) ?? textOf(endpoint.name))
  const url = textOf(endpoint.url)
  if (!/^https?:/i.test(url) && !startsWithVariable(split, url)) {
    notes.notSupported(name, `the endpoint ${url.slice(0, 100)}`)
    return null
  }
  try {
    const interval = durationOf(endpoint.interval, INTERVAL_S, 'the interval', name, notes)
    const alerting = alertingOf(endpoint, name, notes)
    for (const setting of namesBeside(endpoint, SETTINGS)) {
      notes.add(
        name,
        `the setting ${setting}`,
        'Soundline does not have this setting.',
        'Nothing, or change the service.',
      )
    }
    const { request, variables } = requestOf(endpoint, url, split, name, notes)
    return {
      name,
      labels: notes.labelsOf(name, [textOf(endpoint.group)]),
      isActive: notes.isSwitchedOn(name, [request], !isFalse(endpoint.enabled)),
      schedule: notes.scheduleOf(name, interval),
      requests: [request],
      variables,
      ...(alerting && { alerting }),
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    notes.add(name, 'the endpoint', error.message, 'Write the script by hand.')
    return null
  }
}

/** Returns the seconds of a duration; the default when it is missing or unreadable. */
function durationOf(given: unknown, defaultS: number, what: string, name: string, notes: Notes): number {
  const seconds = secondsOf(String(given ?? ''))
  if (seconds) return seconds
  if (given !== undefined) notes.add(name, `${what} ${given}`, 'It is not a duration.', `It is ${defaultS} s instead.`)
  return defaultS
}

/** Gatus reads booleans as YAML 1.1 has them. */
function isFalse(value: unknown): boolean {
  return value === false || /^(n|no|off|false)$/i.test(textOf(value))
}

function isTrue(value: unknown): boolean {
  return value === true || /^(y|yes|on|true)$/i.test(textOf(value))
}

function requestOf(endpoint: Node, url: string, split: Split, name: string, notes: Notes) {
  const headers = Object.entries(nodeOf(endpoint.headers)).map(([key, value]): [string, string] => [key, String(value)])
  const client = nodeOf(endpoint.client)
  const text = textOf(endpoint.body)
  const isGraphql = isTrue(endpoint.graphql)
  const content = isGraphql && text ? JSON.stringify({ query: text }) : text
  const body = bodyOf(content, headerOf(headers, 'content-type') || (isGraphql ? 'application/json' : ''))
  const read = listOf(endpoint.conditions).flatMap(
    (condition) => readCondition(String(condition), split, name, notes) ?? [],
  )
  for (const option of namesBeside(client, CLIENT_SETTINGS)) {
    notes.add(
      name,
      `the client option ${option}`,
      'Soundline does not have this option.',
      'Send a token in a header, or run an agent where the target is reachable.',
    )
  }
  const request: ImportedRequest = {
    method: methodOf(textOf(endpoint.method) || 'get'),
    url,
    headers,
    body,
    split,
    status: ANY_STATUS,
    timeoutMs: notes.timeoutOf(name, durationOf(client.timeout, TIMEOUT_S, 'the timeout', name, notes)),
    ...(isTrue(client.insecure) && { acceptsInvalidCertificates: true }),
    ...(isTrue(client['ignore-redirect']) && { followsRedirects: false }),
  }
  return expecting(request, read, name, notes)
}

function alertingOf(endpoint: Node, name: string, notes: Notes): ImportedCheck['alerting'] {
  const alerts = listOf(endpoint.alerts).map(nodeOf)
  const [first] = alerts
  if (!first) return undefined
  const kinds = alerts.map((alert) => textOf(alert.type)).join(', ')
  notes.add(
    name,
    `the alerts to ${kinds}`,
    'Where alerts go is not part of a check.',
    'Name webhooks under webhooks, or follow the service.',
  )
  const thresholds = alerts.map((alert) => Math.max(1, Math.trunc(Number(alert['failure-threshold'] ?? 3)) || 3))
  const failures = Math.min(...thresholds)
  if (thresholds.some((one) => one !== failures)) {
    const why = 'A service has one threshold.'
    notes.add(name, `the thresholds ${thresholds.join(', ')}`, why, `Alerts come after ${failures} failures.`)
  }
  return {
    confirmFailures: notes.confirmFailuresOf(name, failures),
    alertOnRecovery: alerts.some((alert) => isTrue(alert['send-on-resolved'])),
  }
}
