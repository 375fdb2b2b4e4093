// The configuration of an installation that a folder can describe.

export type PresentVariable = {
  id: string
  key: string
  type: string
  /** Null when the installation hides it. */
  value: string | null
  allowedHosts: string[]
  /** Every service has it; it cannot be deleted. */
  isSystem: boolean
}

export type PresentBinding = { id: string; webhookId: string; name: string; enabled: boolean }

type PresentScope = {
  id: string
  name: string
  variables: PresentVariable[]
  /** Null when the key may not read webhooks. */
  webhooks: PresentBinding[] | null
}

export type PresentService = PresentScope & {
  label: string | null
  labels: string[]
  schedule: string
  timezone: string | null
  serviceWindow: string | null
  probeMode: string
  queuePolicy: string
  saveResponseBodies: boolean
  sendTraceparent: boolean
  isActive: boolean
  script: string | null
  version: number
  agents: string[]
}

export type PresentProject = PresentScope & { services: PresentService[] }

/** `isComplete` when all projects that the key can see are here, and not only those that were asked for. */
export type PresentWorkspace = PresentScope & { projects: PresentProject[]; isComplete: boolean }

export type Present = {
  /** Null when it was not asked for, or the key may not read it. */
  organization: { variables: PresentVariable[] } | null
  workspaces: PresentWorkspace[]
  /** Slugs of the active agents. */
  agents: string[]
  /** Null when the key may not read webhooks. */
  webhooks: { id: string; name: string }[] | null
}

/** The keys of system variables, as the file of a service has them under `alerting`. */
export const ALERTING_KEYS = [
  ...(['confirmFailures', 'confirmRecoveries', 'recheckSeconds', 'recheckWrites'] as const),
  ...(['alertOnRecovery', 'remindMinutes'] as const),
] as const
