import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { MeProvider } from '../client/me.tsx'
import { Shell } from '../components/shell/shell.tsx'
import { findCurrentMember, signInOrSetupPath } from '../current-member.ts'

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const me = await findCurrentMember()
  if (!me) redirect(await signInOrSetupPath())
  return (
    <MeProvider me={me}>
      <Shell>{children}</Shell>
    </MeProvider>
  )
}
