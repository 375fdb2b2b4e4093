import type { Load } from './prefetch.tsx'

/** Loads what `WhoToAsk` shows, for members to whom pages may show it. */
export async function loadWhoToAsk(load: Load): Promise<void> {
  const me = await load('auth.me')
  if (me && !me.mayCreateServices) await load('organization.contacts')
}
