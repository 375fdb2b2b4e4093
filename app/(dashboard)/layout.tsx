import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { MeProvider } from '../client/me.tsx'
import { ZoneProvider } from '../client/zone.tsx'
import { Shell } from '../components/shell/shell.tsx'
import { findCurrentMember, signInOrSetupPath } from '../current-member.ts'
import { currentZones } from '../current-zone.ts'
import { Prefetch } from '../prefetch.tsx'

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const me = await findCurrentMember()
  if (!me) redirect(await signInOrSetupPath())
  const zones = await currentZones(me.organization.timezone)
  return (
    <MeProvider me={me}>
      <ZoneProvider {...zones}>
        <Prefetch
          load={async (load) => me.totpEnrollmentRequired || load('incidents.list', { state: 'open', pageSize: 1 })}
        >
          <Shell>{children}</Shell>
        </Prefetch>
      </ZoneProvider>
    </MeProvider>
  )
}
