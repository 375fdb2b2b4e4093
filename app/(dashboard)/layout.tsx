import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { MeProvider } from '../client/me.tsx'
import { Shell } from '../components/shell/shell.tsx'
import { entrance, findMe } from '../visitor.ts'

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const me = await findMe()
  if (!me) redirect(await entrance())
  return (
    <MeProvider me={me}>
      <Shell>{children}</Shell>
    </MeProvider>
  )
}
