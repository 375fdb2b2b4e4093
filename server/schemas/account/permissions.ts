import { z } from 'zod'

/** The six sections of an organization that permissions name. */
export const SECTIONS = ['users', 'settings', 'domains', 'webhooks', 'orgAdmin', 'workspaces'] as const
export type Section = (typeof SECTIONS)[number]

export const LEVELS = ['none', 'read', 'write'] as const
export type LevelName = (typeof LEVELS)[number]

/** Level per section; a section left out is `none` on creation and unchanged on change. */
export const SectionPermissions = z.partialRecord(z.enum(SECTIONS), z.enum(LEVELS)).meta({ id: 'SectionPermissions' })
export type SectionPermissions = z.output<typeof SectionPermissions>

/** Every section's level by its name. */
export function levelNames(levels: Record<Section, 0 | 1 | 2>): Record<Section, LevelName> {
  return Object.fromEntries(SECTIONS.map((section) => [section, LEVELS[levels[section]]])) as Record<Section, LevelName>
}
