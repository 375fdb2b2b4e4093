import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { MeProvider } from '../client/me.tsx'
import { ZoneProvider } from '../client/zone.tsx'
import { readZoneChoice, ZONE_COOKIE } from '../client/zone-choice.ts'
import { Shell } from '../components/shell/shell.tsx'
import { findCurrentMember, signInOrSetupPath } from '../current-member.ts'

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const me = await findCurrentMember()
  if (!me) redirect(await signInOrSetupPath())
  const zone = readZoneChoice((await cookies()).get(ZONE_COOKIE)?.value)
  return (
    <MeProvider me={me}>
      <ZoneProvider initial={zone}>
        <Shell>{children}</Shell>
      </ZoneProvider>
    </MeProvider>
  )
}
