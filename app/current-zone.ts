import { cookies } from 'next/headers'
import { Timezone } from '#server/schemas/schedule/time-zones.ts'
import { ZONE_COOKIE, type ZoneChoice } from './client/zone-choice.ts'
import { load } from './prefetch.tsx'

/** Returns the choice in the request's cookie. An absent or unknown zone means the organization's. */
export async function currentZoneChoice(): Promise<ZoneChoice> {
  const zone = Timezone.safeParse((await cookies()).get(ZONE_COOKIE)?.value.replaceAll('%2F', '/'))
  return zone.success ? zone.data : 'organization'
}

/** Returns the IANA name of the zone in which the page shows times, as `useZone` does. */
export async function currentZone(): Promise<string> {
  const choice = await currentZoneChoice()
  return choice === 'organization' ? ((await load('auth.me'))?.organization.timezone ?? 'UTC') : choice
}
