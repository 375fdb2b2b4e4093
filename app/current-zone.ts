import { cookies } from 'next/headers'
import { Timezone } from '#server/schemas/schedule/time-zones.ts'
import { BROWSER_ZONE_COOKIE, CHOICE_COOKIE, ZONE_CHOICES, type ZoneChoice } from './client/zone-choice.ts'
import { load } from './prefetch.tsx'

type Zones = { choice: ZoneChoice; zones: Record<ZoneChoice, string> }

/** Returns the choice in the request's cookies. The organization's zone stands in for a browser whose zone is unknown. */
export async function currentZones(organizationZone: string): Promise<Zones> {
  const given = await cookies()
  const chosen = given.get(CHOICE_COOKIE)?.value
  const browserZone = Timezone.safeParse(given.get(BROWSER_ZONE_COOKIE)?.value.replaceAll('%2F', '/'))
  return {
    choice: ZONE_CHOICES.find((choice) => choice === chosen) ?? 'browser',
    zones: {
      browser: browserZone.success ? browserZone.data : organizationZone,
      organization: organizationZone,
      UTC: 'UTC',
    },
  }
}

/** Returns the IANA name of the zone in which the page shows times, as `useZone` does. */
export async function currentZone(): Promise<string> {
  const { choice, zones } = await currentZones((await load('auth.me'))?.organization.timezone ?? 'UTC')
  return zones[choice]
}
