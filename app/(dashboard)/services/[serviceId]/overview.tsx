'use client'

import { useQuery } from '@tanstack/react-query'
import { query } from '../../../client/api.ts'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { MetricsStrip } from '../../../components/runs/metrics-strip.tsx'
import { Certificates } from './certificates.tsx'
import { HistoryCharts } from './history/history-charts.tsx'
import { IncidentNotice } from './incident-notice.tsx'
import { LastFailure } from './last-failure.tsx'
import { RecentRuns } from './recent-runs.tsx'
import { ResultTable } from './results/result-table.tsx'
import { StateLine } from './state-line.tsx'
import { UnverifiedNotice } from './unverified-notice.tsx'

/** The state of a service, its latest runs as bars, its latest failure, its history as charts, and its results. */
export function Overview({ id }: { id: string }) {
  const service = useQuery(query('services.get', { id }))
  return (
    <>
      <StateLine serviceId={id} />
      <RecentRuns serviceId={id} />
      <Loaded query={service} rows={2}>
        {(service) => (
          <>
            <UnverifiedNotice hosts={service.unverifiedTargets} />
            <IncidentNotice serviceId={id} />
            {service.lastFailure && service.lastStatus !== 'success' && (
              <LastFailure serviceId={id} failure={service.lastFailure} />
            )}
            <MetricsStrip metrics={service.metrics} />
          </>
        )}
      </Loaded>
      <HistoryCharts serviceId={id} />
      <ResultTable serviceId={id} />
      {service.data && <Certificates certificates={service.data.certificates} />}
    </>
  )
}
