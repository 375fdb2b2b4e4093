/** What a person is in a place, as a level and whether alerts reach them. */
export const ROLES = {
  viewer: { label: 'Viewer', grant: { permissions: 1, notify: true } },
  'viewer-quiet': { label: 'Viewer, no alerts', grant: { permissions: 1, notify: false } },
  editor: { label: 'Editor', grant: { permissions: 2, notify: true } },
  'editor-quiet': { label: 'Editor, no alerts', grant: { permissions: 2, notify: false } },
} as const

export type Role = keyof typeof ROLES

/** Returns the name of the role that gives a level and alerts. */
export function roleLabel(permissions: number, notify: boolean): string {
  const roles = Object.values(ROLES)
  return roles.find(({ grant }) => grant.permissions === permissions && grant.notify === notify)?.label ?? ''
}
