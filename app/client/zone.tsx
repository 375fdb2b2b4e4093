'use client'

import { createContext, type ReactNode, useContext, useState } from 'react'
import { useMe } from './me.tsx'
import { ZONE_COOKIE, type ZoneChoice } from './zone-choice.ts'

type Zone = {
  /** The IANA name of the zone in which all times are shown. */
  zone: string
  choice: ZoneChoice
  choose: (choice: ZoneChoice) => void
}

const ZoneContext = createContext<Zone>({ zone: 'UTC', choice: 'UTC', choose: () => {} })

const YEAR_S = 31_536_000

/** Provides the time zone of the dashboard: the organization's, unless the member has chosen another in this browser. */
export function ZoneProvider({ initial, children }: { initial: ZoneChoice; children: ReactNode }) {
  const { organization } = useMe()
  const [choice, setChoice] = useState(initial)
  const choose = (next: ZoneChoice) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that we support
    document.cookie = `${ZONE_COOKIE}=${encodeURIComponent(next)}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`
    setChoice(next)
  }
  const zone = choice === 'organization' ? organization.timezone : choice
  return <ZoneContext value={{ zone, choice, choose }}>{children}</ZoneContext>
}

export function useZone(): Zone {
  return useContext(ZoneContext)
}
