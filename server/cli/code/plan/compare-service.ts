import type { DescribedService, ServiceFile } from '../format/files.ts'
import { byText } from '../format/paths.ts'
import { ALERTING_KEYS, type Present, type PresentService } from '../remote/present.ts'
import { type Field, type Path, type Plan, pathKey, pathText } from './changes.ts'
import { compareVariables, compareWebhooks, type Options } from './compare-scope.ts'

/** Fields that are compared as they are. */
const PLAIN = [
  ...(['name', 'label', 'schedule', 'timezone', 'serviceWindow'] as const),
  ...(['probeMode', 'queuePolicy', 'saveResponseBodies', 'sendTraceparent', 'isActive'] as const),
]

/** Compares one service; `found` is null when it does not exist. */
export function compareService(
  plan: Plan,
  project: Path,
  service: DescribedService,
  found: PresentService | null,
  present: Present,
  options: Options,
): void {
  const { file, script } = service
  const path = [...project, file.name]
  const fields = fieldsOf(service, found)
  if (fields.agents) requireAgents(plan, path, file, present)
  if (found === null) {
    plan.changes.push({ kind: 'service', op: 'create', path, fields, file: { ...file } })
    if (file.isActive && script == null)
      plan.problems.push(`${pathText(path)}: isActive: must be false without a script`)
  } else {
    plan.ids.set(pathKey(path), found.id)
    if (found.script !== null && script === null) {
      plan.problems.push(`${pathText(path)}: script: a saved script cannot be removed, only replaced`)
      delete fields.script
    }
    if (Object.keys(fields).length > 0) {
      const { id, version } = found
      plan.changes.push({ kind: 'service', op: 'update', path, id, version, fields, file: { ...file } })
    }
  }
  compareAlerting(plan, path, file, found)
  compareVariables(plan, path, file.variables, found?.variables ?? [], options)
  compareWebhooks(plan, path, file.webhooks, found ? found.webhooks : present.webhooks && [], present)
}

function fieldsOf({ file, script }: DescribedService, found: PresentService | null): Record<string, Field> {
  const fields: Record<string, Field> = {}
  for (const field of PLAIN) {
    const [from, to] = [found?.[field] ?? null, file[field]]
    const isSame = to === from || (field === 'timezone' && isSameZone(to as string | null, from as string | null))
    if (to !== undefined && !isSame) fields[field] = { from, to }
  }
  const labels = file.labels
  if (labels && labels.join('\0') !== (found?.labels ?? []).join('\0')) {
    fields.labels = { from: found?.labels ?? [], to: labels }
    delete fields.label
  }
  if (script !== undefined && script !== (found?.script ?? null)) {
    fields.script = { from: found?.script ?? null, to: script }
  }
  const agents = file.agents && [...new Set(file.agents)].sort(byText)
  const assigned = (found?.agents ?? []).toSorted(byText)
  if (agents && agents.join('\0') !== assigned.join('\0')) fields.agents = { from: assigned, to: agents }
  return fields
}

/** A time zone has several names, and they are written in any letter case. Null is UTC. */
function isSameZone(a: string | null, b: string | null): boolean {
  return canonicalZone(a ?? 'UTC') === canonicalZone(b ?? 'UTC')
}

function canonicalZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    // The server judges names that are not known here.
    return name
  }
}

/** Agents that were switched off since may stay only while nothing else changes. */
function requireAgents(plan: Plan, path: Path, file: ServiceFile, present: Present): void {
  const known = new Set(present.agents)
  const unknown = (file.agents ?? []).filter((slug) => !known.has(slug))
  if (unknown.length > 0) plan.problems.push(`${pathText(path)}: agents: no active agent ${unknown.join(', ')}`)
}

/** System variables exist as soon as the service exists, so they are only updated. */
function compareAlerting(plan: Plan, path: Path, { alerting }: ServiceFile, found: PresentService | null): void {
  for (const key of ALERTING_KEYS) {
    const to = alerting?.[key]
    const variable = found?.variables.find((one) => one.isSystem && one.key === key)
    if (to === undefined || variable?.value === String(to)) continue
    plan.changes.push({
      kind: 'variable',
      op: 'update',
      path,
      key,
      type: 'metric',
      ...(variable && { id: variable.id }),
      value: { literal: String(to) },
      fields: { value: { from: variable?.value ?? null, to: String(to) } },
    })
  }
}
