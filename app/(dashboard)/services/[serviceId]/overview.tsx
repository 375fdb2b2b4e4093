'use client'

import { useQuery } from '@tanstack/react-query'
import { query } from '../../../client/api.ts'
import { AlertQuestion } from '../../../components/alerts/alert-question.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { MetricsStrip } from '../../../components/runs/metrics-strip.tsx'
import { Certificates } from './certificates.tsx'
import { HistoryCharts } from './history/history-charts.tsx'
import { ResultTable } from './results/result-table.tsx'
import { ServiceState } from './state/service-state.tsx'
import { UnverifiedNotice } from './unverified-notice.tsx'

/** The state of a service with its latest runs as bars, its history as charts, and its results. */
export function Overview({ id }: { id: string }) {
  const service = useQuery(query('services.get', { id }))
  return (
    <>
      <Loaded query={service} rows={4}>
        {(service) => (
          <>
            <ServiceState service={service} />
            <UnverifiedNotice hosts={service.unverifiedTargets} />
            <MetricsStrip metrics={service.metrics} isUnknown={service.state === 'unknown'} />
          </>
        )}
      </Loaded>
      {/* A failure comes before the question who hears of failures. */}
      <AlertQuestion />
      <HistoryCharts serviceId={id} />
      <ResultTable serviceId={id} />
      {service.data && <Certificates certificates={service.data.certificates} />}
    </>
  )
}
