/** The sections of an organization that have permissions. */
export const SECTIONS = ['users', 'settings', 'domains', 'webhooks', 'orgAdmin', 'workspaces'] as const
export type Section = (typeof SECTIONS)[number]

export const LEVELS = ['none', 'read', 'write'] as const
export type LevelName = (typeof LEVELS)[number]

/** Converts the levels of all sections to their names. */
export function levelNames(levels: Record<Section, 0 | 1 | 2>): Record<Section, LevelName> {
  return Object.fromEntries(SECTIONS.map((section) => [section, LEVELS[levels[section]]])) as Record<Section, LevelName>
}
