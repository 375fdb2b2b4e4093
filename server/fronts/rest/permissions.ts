import type { Section } from '../../schemas/account/sections.ts'
import type { NeededResource, Needs } from '../../trpc.ts'

const SECTIONS: Record<Section, string> = {
  users: 'Users',
  settings: 'Settings',
  domains: 'Domains',
  webhooks: 'Webhooks',
  orgAdmin: 'Administration',
  workspaces: 'Workspaces',
}

const RESOURCES: Record<NeededResource, string> = {
  workspace: 'the workspace',
  project: 'the project',
  service: 'the service',
  batch: 'the project or workspace of the batch',
  incident: 'the service of the incident',
  maintenance: 'the resource of the maintenance',
  silence: '',
}

/** Returns what an operation needs in words, such as `Write on the service`. */
export function permissionText({ section, on = [], level }: Needs): string {
  const parts = [
    ...(section ? [`${section[1]} on ${SECTIONS[section[0]]}`] : []),
    ...(on.includes('silence') ? ['your own silence'] : on.length > 0 ? [resourceText(on, level)] : []),
  ]
  if (parts.length === 0) return 'Any key'
  const text = parts.join(', and ')
  return `${text[0]?.toUpperCase()}${text.slice(1)}`
}

function resourceText(on: readonly NeededResource[], level: Needs['level']): string {
  const names = on.map((each) => RESOURCES[each])
  const resource = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  return level === 'visible' ? `${resource}, visible by name` : `${level} on ${resource}`
}
