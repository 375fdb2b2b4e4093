'use client'

import { useQuery } from '@tanstack/react-query'
import { query } from '../../../client/api.ts'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { MetricsStrip } from '../../../components/runs/metrics-strip.tsx'
import { Certificates } from './certificates.tsx'
import { IncidentNotice } from './incident-notice.tsx'
import { LastFailure } from './last-failure.tsx'
import { RecentRuns } from './recent-runs.tsx'
import { ResultTable } from './result-table.tsx'
import { UnverifiedNotice } from './unverified-notice.tsx'

/** The metrics of a service, its latest runs as bars, its latest failure and its results. */
export function Overview({ id }: { id: string }) {
  const snapshot = useQuery({ ...query('services.snapshot', { id }), refetchInterval: 20_000 })
  return (
    <>
      <Loaded query={snapshot} rows={2}>
        {({ service, recentProbes }) => (
          <>
            <UnverifiedNotice hosts={service.unverifiedTargets} />
            <IncidentNotice serviceId={id} />
            <MetricsStrip metrics={service.metrics} />
            <RecentRuns runs={recentProbes} />
            {service.lastFailure && service.lastStatus !== 'success' && (
              <LastFailure serviceId={id} failure={service.lastFailure} />
            )}
            <Certificates certificates={service.certificates} />
          </>
        )}
      </Loaded>
      <ResultTable serviceId={id} />
    </>
  )
}
