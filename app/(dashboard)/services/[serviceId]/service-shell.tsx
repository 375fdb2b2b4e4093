'use client'

import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { query } from '../../../client/api.ts'
import { useResourceAccess } from '../../../client/use-resource-access.ts'
import { LostAgentsNotice } from '../../../components/agents/lost-agents-notice.tsx'
import { Bell } from '../../../components/alerts/bell.tsx'
import { LabelBadge } from '../../../components/label-badge.tsx'
import { LinkTabs } from '../../../components/layout/link-tabs.tsx'
import { PageFrame } from '../../../components/layout/page-frame.tsx'
import { useProjectCrumbs } from '../../../components/layout/use-crumbs.ts'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { MaintenanceNotice } from '../../../components/maintenance/maintenance-notice.tsx'
import { StartMaintenance } from '../../../components/maintenance/start-maintenance.tsx'
import { StateBadge } from '../../../components/status/state-badge.tsx'
import { ServiceSwitch } from '../../../components/switches/service-switch.tsx'
import { ServiceFacts } from './header/service-facts.tsx'
import { MutedRuns } from './muted-runs.tsx'
import { NoListenerNotice } from './no-listener-notice.tsx'
import { RunNow } from './run-now.tsx'

/** The frame of every page of a service: name, state, Run now, the switch and the tabs. */
export function ServiceShell({ id, children }: { id: string; children: ReactNode }) {
  const service = useQuery(query('services.get', { id }))
  const status = useQuery(query('status.service', { id }))
  const crumbs = useProjectCrumbs(service.data?.projectId)
  const { mayWrite } = useResourceAccess('service', id)
  const base = `/services/${id}`
  return (
    <Loaded query={service}>
      {(service) => (
        <PageFrame
          title={service.name}
          crumbs={crumbs}
          badges={
            <>
              {status.data && <StateBadge state={status.data.state} size="lg" />}
              {service.labels.map((label) => (
                <LabelBadge key={label} label={label} />
              ))}
            </>
          }
          actions={
            <>
              <Bell resourceType="service" resourceId={id} />
              {mayWrite && <StartMaintenance resourceType="service" resourceId={id} />}
              <ServiceSwitch service={service} mayWrite={mayWrite} label={service.isActive ? 'On' : 'Off'} />
              {mayWrite && <RunNow service={service} />}
            </>
          }
        >
          <ServiceFacts service={service} />
          <LinkTabs
            label="Service"
            tabs={[
              { label: 'Results', href: base, subpaths: [`${base}/results/`, `${base}/runs/`] },
              { label: 'Statistics', href: `${base}/statistics` },
              { label: 'Alerts', href: `${base}/alerts` },
              { label: 'Script', href: `${base}/script` },
              { label: 'Variables', href: `${base}/variables` },
              { label: 'Webhooks', href: `${base}/webhooks` },
              ...(mayWrite ? [{ label: 'Access', href: `${base}/access` }] : []),
              { label: 'Settings', href: `${base}/settings` },
            ]}
          />
          <Stack gap="lg">
            {service.maintenance && (
              <MaintenanceNotice of={service.maintenance} what="this service">
                {service.maintenance.id !== null && <MutedRuns serviceId={id} />}
              </MaintenanceNotice>
            )}
            <LostAgentsNotice of={{ serviceId: id }} />
            <NoListenerNotice service={service} mayWrite={mayWrite} />
            {children}
          </Stack>
        </PageFrame>
      )}
    </Loaded>
  )
}
