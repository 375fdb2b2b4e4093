import { findCurrentMember } from './current-member.ts'
import type { Load } from './prefetch.tsx'

/** Loads what `useMayChange` asks for: nothing for members who may write everywhere. */
export async function loadPlaces(load: Load): Promise<unknown> {
  const me = await findCurrentMember()
  return me?.isOwner || me?.sections.workspaces === 'write' ? null : load('services.places')
}
