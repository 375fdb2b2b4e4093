import type { ServiceFile } from '../format/files.ts'

// The parts of a plan. A change names a resource by its path; ids of resources that do not exist yet are not known.

/** Names from the workspace down: one for a workspace, two for a project, three for a service, none for the organization. */
export type Path = string[]

export type Field = { from: unknown; to: unknown }

type Common = { path: Path; fields: Record<string, Field> }

export type NamedVariable = {
  path: Path
  key: string
  /** Where the value comes from; null for a deletion. */
  value: { literal?: string; fromEnv?: string } | null
}

/** A variable's value is never in a plan, unless it is a metric's. */
export type VariableChange = Common &
  NamedVariable & {
    kind: 'variable'
    op: 'create' | 'update' | 'replace' | 'delete'
    type: string
    id?: string
    allowedHosts?: string[]
  }

export type WebhookChange = Common & {
  kind: 'webhook'
  op: 'create' | 'update' | 'delete'
  name: string
  webhookId?: string
  id?: string
  enabled: boolean
}

export type ContainerChange = Common & {
  kind: 'workspace' | 'project'
  op: 'create' | 'update' | 'delete'
  id?: string
}

export type ServiceChange = Common & {
  kind: 'service'
  op: 'create' | 'update' | 'delete'
  id?: string
  /** The version of the script that the plan has seen. */
  version?: number
  file?: ServiceFile
}

export type Change = ContainerChange | ServiceChange | VariableChange | WebhookChange

export type Plan = {
  changes: Change[]
  /** Resources that the folder no longer describes. Deleted only with `--prune`. */
  undescribed: Change[]
  /** Why the folder cannot be applied. */
  problems: string[]
  /** Ids of the resources that exist, by path. */
  ids: Map<string, string>
  /** Values of existing variables that the installation hides, so that they are not compared. */
  hiddenValues: number
  /** Every variable that the folder describes. */
  variables: NamedVariable[]
}

/** Returns the key of a path in `Plan.ids`. */
export function pathKey(path: Path): string {
  return path.join('\0')
}

/** `Shop / Web / Checkout`, or the organization for no names. */
export function pathText(path: Path): string {
  return path.length === 0
    ? 'the organization'
    : path.map((name) => name.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, '\uFFFD')).join(' / ')
}
