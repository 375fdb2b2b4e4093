import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ServiceShell } from './service-shell.tsx'

export const metadata: Metadata = { title: 'Service' }

export default async function ServiceLayout(props: { children: ReactNode; params: Promise<{ serviceId: string }> }) {
  return <ServiceShell id={(await props.params).serviceId}>{props.children}</ServiceShell>
}
