'use client'

import { useQuery } from '@tanstack/react-query'
import { query } from '../../../../client/api.ts'
import { useNow } from '../../../../client/now.tsx'
import { useZone } from '../../../../client/zone.tsx'
import { newTimeFormat } from '../../../../components/schedules/time-format.ts'
import { scheduleQuery } from './schedule-query.ts'

type Service = { schedule: string; timezone: string | null; isActive: boolean }

const REFETCH_MIN_MS = 10_000

/** Returns when a service runs next on the clocks of the dashboard's zone; null while it is off or it is not known. */
export function useNextRun(service: Service): string | null {
  const now = useNow()
  const { zone } = useZone()
  const { data } = useQuery({
    ...query('schedule.preview', scheduleQuery(service)),
    enabled: service.isActive,
    // The answer has the next few times: when they are over, the next ones are read.
    refetchInterval: ({ state }) => {
      const last = state.data?.times.at(-1)
      return last ? Math.max(REFETCH_MIN_MS, Date.parse(last.at) - Date.now()) : false
    },
  })
  const next = data?.times.find(({ at }) => Date.parse(at) > now)
  return service.isActive && next ? newTimeFormat(zone, now)(next) : null
}
