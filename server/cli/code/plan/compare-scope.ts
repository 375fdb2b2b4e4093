import type { VariableEntry, WebhookEntry } from '../format/files.ts'
import { byText } from '../format/paths.ts'
import type { Present, PresentBinding, PresentVariable } from '../remote/present.ts'
import { type Path, type Plan, pathText, type VariableChange } from './changes.ts'
import { sameHosts } from './hosts.ts'

// Variables and webhooks, which every scope may have. A list that the file omits is not compared.

export type Options = { setsValues: boolean }

export function compareVariables(
  plan: Plan,
  path: Path,
  wanted: Record<string, VariableEntry> | undefined,
  present: PresentVariable[],
  options: Options,
): void {
  if (wanted === undefined) return
  for (const key of Object.keys(wanted).sort(byText)) {
    const entry = wanted[key] as VariableEntry
    plan.variables.push({ path, key, value: sourceOf(entry) })
    const found = present.find((variable) => variable.key === key)
    const change = found ? changeOf(path, key, entry, found, options) : creationOf(path, key, entry)
    if (change?.op === 'replace') plan.undescribed.push(change)
    else if (change) plan.changes.push(change)
    if (found && found.value === null && !options.setsValues) plan.hiddenValues++
  }
  for (const { id, key, type, isSystem } of present) {
    if (isSystem || wanted[key]) continue
    plan.undescribed.push({ kind: 'variable', op: 'delete', path, key, type, id, value: null, fields: {} })
  }
}

function creationOf(path: Path, key: string, entry: VariableEntry): VariableChange {
  const { type, allowedHosts } = entry
  const fields = {
    type: { from: null, to: type },
    ...(type === 'metric' && entry.value !== undefined && { value: { from: null, to: entry.value } }),
    ...(allowedHosts?.length && { allowedHosts: { from: null, to: allowedHosts } }),
  }
  const base = { kind: 'variable' as const, op: 'create' as const, path, key, type, value: sourceOf(entry), fields }
  return allowedHosts?.length ? { ...base, allowedHosts } : base
}

function changeOf(
  path: Path,
  key: string,
  entry: VariableEntry,
  found: PresentVariable,
  { setsValues }: Options,
): VariableChange | null {
  if (entry.type !== found.type) {
    const created = creationOf(path, key, entry)
    return {
      ...created,
      op: 'replace',
      id: found.id,
      fields: { ...created.fields, type: { from: found.type, to: entry.type } },
    }
  }
  const fields: VariableChange['fields'] = {}
  const isNew = found.value === null ? setsValues : entry.value !== undefined && entry.value !== found.value
  if (isNew) fields.value = { from: found.value ?? 'hidden', to: found.value === null ? 'set again' : entry.value }
  const { allowedHosts } = entry
  if (allowedHosts && !sameHosts(allowedHosts, found.allowedHosts)) {
    fields.allowedHosts = { from: found.allowedHosts, to: allowedHosts }
  }
  if (Object.keys(fields).length === 0) return null
  // The API changes hosts only together with the value, so a key cannot widen them for a secret that it does not know.
  const base = { kind: 'variable' as const, op: 'update' as const, path, key, type: entry.type, id: found.id, fields }
  return {
    ...base,
    value: sourceOf(entry),
    ...(fields.allowedHosts && allowedHosts && { allowedHosts }),
  }
}

function sourceOf({ value, fromEnv }: VariableEntry): { literal?: string; fromEnv?: string } {
  return { ...(value !== undefined && { literal: value }), ...(fromEnv !== undefined && { fromEnv }) }
}

export function compareWebhooks(
  plan: Plan,
  path: Path,
  wanted: WebhookEntry[] | undefined,
  bound: PresentBinding[] | null,
  { webhooks }: Present,
): void {
  if (wanted === undefined) return
  if (bound === null || webhooks === null) {
    if (wanted.length > 0) plan.problems.push(`${pathText(path)}: this key may not read webhooks`)
    return
  }
  for (const { name, enabled } of wanted) {
    const found = bound.find((binding) => binding.name === name)
    const webhookId = found?.webhookId ?? webhooks.find((webhook) => webhook.name === name)?.id
    if (!webhookId) {
      plan.problems.push(
        `${pathText(path)}: the organization has no webhook "${name}". Create it in the dashboard first`,
      )
    } else if (!found) {
      const fields = { enabled: { from: null, to: enabled } }
      plan.changes.push({ kind: 'webhook', op: 'create', path, name, webhookId, enabled, fields })
    } else if (found.enabled !== enabled) {
      const fields = { enabled: { from: found.enabled, to: enabled } }
      plan.changes.push({ kind: 'webhook', op: 'update', path, name, id: found.id, webhookId, enabled, fields })
    }
  }
  for (const { id, name, enabled } of bound) {
    if (wanted.some((webhook) => webhook.name === name)) continue
    plan.undescribed.push({ kind: 'webhook', op: 'delete', path, name, id, enabled, fields: {} })
  }
}
