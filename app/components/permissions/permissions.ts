import { type LevelName, SECTIONS, type Section } from '#server/schemas/account/sections.ts'

export type Permissions = Record<Section, LevelName>

export const SECTION_TEXTS: Record<Section, { label: string; description: string }> = {
  users: { label: 'Users', description: 'Members, groups and invitations' },
  settings: { label: 'Settings', description: 'Organization variables, agents, settings and the audit log' },
  domains: { label: 'Domains', description: 'Verified domains' },
  webhooks: { label: 'Webhooks', description: 'Webhooks and their bindings' },
  orgAdmin: { label: 'Administration', description: 'Permissions of other members' },
  workspaces: { label: 'Workspaces', description: 'All workspaces, projects and services, and enrolling agents' },
}

export const NO_PERMISSIONS = Object.fromEntries(SECTIONS.map((section) => [section, 'none'])) as Permissions
