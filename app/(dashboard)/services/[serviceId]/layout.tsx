import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { serviceTitle } from '../../../client/titles/titles.ts'
import { type Load, load, Prefetch } from '../../../prefetch.tsx'
import { loadFrame } from '../../../prefetch-frame.ts'
import { scheduleQuery } from './header/schedule-query.ts'
import { ServiceShell } from './service-shell.tsx'
import { ServiceTitle } from './service-title.tsx'

type Props = { params: Promise<{ serviceId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const service = await load('status.service', { id: (await params).serviceId })
  return { title: service ? serviceTitle(service) : 'Service' }
}

export default async function ServiceLayout({ params, children }: Props & { children: ReactNode }) {
  const { serviceId: id } = await params
  return (
    <Prefetch load={(load) => loadShell(load, id)}>
      <ServiceTitle id={id} />
      <ServiceShell id={id}>{children}</ServiceShell>
    </Prefetch>
  )
}

async function loadShell(load: Load, id: string): Promise<void> {
  const loadSchedule = async () => {
    const service = await load('services.get', { id })
    if (service?.isActive) await load('schedule.preview', scheduleQuery(service))
  }
  await Promise.all([
    load('status.service', { id }),
    load('alerts.preview', { id }),
    loadFrame(load, 'service', id),
    loadSchedule(),
  ])
}
