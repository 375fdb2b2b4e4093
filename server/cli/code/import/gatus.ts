import { listOf, type Node, nodeOf, textOf } from '#server/script-import/nodes.ts'
import { bodyOf, headerOf, ImportError, type ImportedRequest, methodOf } from '#server/script-import/request.ts'
import { type Split, splitBy, startsWithVariable } from '#server/script-import/templates.ts'
import type { VariableEntry } from '../format/files.ts'
import { CHECKS_MAX, type ImportedCheck, type ImportedChecks, Notes } from './checks.ts'
import { ANY_STATUS } from './conditions.ts'
import { secondsOf } from './every.ts'
import { readCondition } from './gatus-conditions.ts'

/** Reads the configuration of Gatus. @throws ImportError */
export function importGatus(document: Node): ImportedChecks {
  const endpoints = Array.isArray(document.endpoints) ? document.endpoints : document.services
  if (!Array.isArray(endpoints)) throw new ImportError('This is not a configuration of Gatus: it has no endpoints.')
  const notes = new Notes()
  const variables: Record<string, VariableEntry> = {}
  const split = environmentSplit(variables, notes)
  const checks = endpoints.slice(0, CHECKS_MAX).flatMap((endpoint) => checkOf(nodeOf(endpoint), split, notes) ?? [])
  for (const [section, todo] of Object.entries(SECTIONS)) {
    if (document[section] !== undefined) notes.add('all', `the section ${section}`, 'It is not part of a check.', todo)
  }
  return { format: 'Gatus', checks, variables, notes: notes.all }
}

const SECTIONS: Record<string, string> = {
  alerting: 'Create webhooks in the dashboard, and name them under webhooks.',
  maintenance: 'Write it as the serviceWindow of each service.',
  suites: 'Write a suite as one script with several calls.',
  'external-endpoints': 'Let the external job use a script that asks for its state.',
}

/** `${NAME}` in the configuration is an environment variable of Gatus. It becomes a secret of the project. */
function environmentSplit(variables: Record<string, VariableEntry>, notes: Notes): Split {
  return splitBy(/\$\{(\w+)\}|\$([A-Z_][A-Z0-9_]*)/g, ([, braced, plain]) => {
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

function checkOf(endpoint: Node, split: Split, notes: Notes): ImportedCheck | null {
  const name = textOf(endpoint.name) || 'unnamed'
  const url = textOf(endpoint.url)
  if (!/^https?:/i.test(url) && !startsWithVariable(split, url)) {
    notes.notSupported(name, `the endpoint ${url.slice(0, 100)}`)
    return null
  }
  try {
    const interval = secondsOf(textOf(endpoint.interval) || '60s') ?? 60
    const alerting = alertingOf(endpoint, name, notes)
    return {
      name,
      label: textOf(endpoint.group).slice(0, 32) || null,
      isActive: endpoint.enabled !== false,
      schedule: notes.scheduleOf(name, interval),
      requests: [requestOf(endpoint, url, split, name, notes)],
      ...(alerting && { alerting }),
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    notes.add(name, 'the endpoint', error.message, 'Write the script by hand.')
    return null
  }
}

function requestOf(endpoint: Node, url: string, split: Split, name: string, notes: Notes): ImportedRequest {
  const headers = Object.entries(nodeOf(endpoint.headers)).map(([key, value]): [string, string] => [key, String(value)])
  const client = nodeOf(endpoint.client)
  const text = textOf(endpoint.body)
  const content = endpoint.graphql === true && text ? JSON.stringify({ query: text }) : text
  const body = bodyOf(
    content,
    headerOf(headers, 'content-type') || (endpoint.graphql === true ? 'application/json' : ''),
  )
  const conditions = listOf(endpoint.conditions).flatMap(
    (condition) => readCondition(String(condition), split, name, notes) ?? [],
  )
  for (const option of ['oauth2', 'identity-aware-proxy', 'tls', 'proxy-url', 'dns-resolver', 'tunnel']) {
    if (client[option] !== undefined) {
      notes.add(
        name,
        `the client option ${option}`,
        'Soundline does not have this option.',
        'Send a token in a header, or run an agent where the target is reachable.',
      )
    }
  }
  const timeout = secondsOf(textOf(client.timeout))
  return {
    method: methodOf(textOf(endpoint.method) || 'get'),
    url,
    headers,
    body,
    split,
    status: ANY_STATUS,
    ...(conditions.length > 0 && { conditions }),
    ...(client.insecure === true && { acceptsInvalidCertificates: true }),
    ...(client['ignore-redirect'] === true && { followsRedirects: false }),
    ...(timeout && { timeoutMs: Math.min(60_000, Math.ceil(timeout * 1_000)) }),
  }
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
  const failures = Number(first['failure-threshold'] ?? 3)
  return {
    confirmFailures: Math.min(10, Math.max(1, Math.trunc(failures) || 3)),
    alertOnRecovery: first['send-on-resolved'] === true,
  }
}
