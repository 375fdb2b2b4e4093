'use client'

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useMe } from './me.tsx'
import { BROWSER_ZONE_COOKIE, CHOICE_COOKIE, storeZone, type ZoneChoice } from './zone-choice.ts'

type Zone = {
  /** The IANA name of the zone in which all times are shown. */
  zone: string
  choice: ZoneChoice
  /** The IANA name of the zone of each choice. */
  zones: Record<ZoneChoice, string>
  choose: (choice: ZoneChoice) => void
}

const UTC = { browser: 'UTC', organization: 'UTC', UTC: 'UTC' }
const ZoneContext = createContext<Zone>({ zone: 'UTC', choice: 'UTC', zones: UTC, choose: () => {} })

/** Provides the time zone of the dashboard: the browser's, unless the member has chosen another in this browser. */
export function ZoneProvider(props: { choice: ZoneChoice; zones: Record<ZoneChoice, string>; children: ReactNode }) {
  const organizationZone = useMe().organization.timezone
  const [choice, setChoice] = useState(props.choice)
  const [browserZone, setBrowserZone] = useState(props.zones.browser)
  useEffect(() => setBrowserZone(storeBrowserZone()), [])
  const choose = (next: ZoneChoice) => {
    storeZone(CHOICE_COOKIE, next)
    setChoice(next)
  }
  const zones = { browser: browserZone, organization: organizationZone, UTC: 'UTC' }
  return <ZoneContext value={{ zone: zones[choice], choice, zones, choose }}>{props.children}</ZoneContext>
}

export function useZone(): Zone {
  return useContext(ZoneContext)
}

/** Tells the server the zone of the browser before the first page with times. */
export function BrowserZone() {
  useEffect(() => void storeBrowserZone(), [])
  return null
}

function storeBrowserZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  storeZone(BROWSER_ZONE_COOKIE, zone)
  return zone
}
