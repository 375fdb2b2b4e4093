import type { ProbeResult } from '../../../language/lace/result.ts'
import type { LeasedRun } from './require-lease.ts'

type Lease = Pick<LeasedRun, 'claimedAt' | 'now'>

/** Returns the start that an agent reports, moved into the time since it claimed the run. */
export function startWithin({ claimedAt, now }: Lease, startedAt: string): Date {
  return new Date(clamp(Date.parse(startedAt), claimedAt.getTime(), now.getTime()))
}

/** Returns a result whose times are consistent and within the lease, whatever the agent's clock says. */
export function withTimesWithin(lease: Lease, startedAt: Date, probe: ProbeResult): ProbeResult {
  const start = startedAt.getTime()
  const elapsedMs = Math.min(probe.elapsedMs, Math.max(0, lease.now.getTime() - start))
  const shiftMs = start - Date.parse(probe.startedAt)
  const within = (time: string | null) =>
    time === null ? null : new Date(clamp(Date.parse(time) + shiftMs, start, start + elapsedMs)).toISOString()
  return {
    ...probe,
    startedAt: startedAt.toISOString(),
    endedAt: new Date(start + elapsedMs).toISOString(),
    elapsedMs,
    calls: probe.calls.map((call) => ({ ...call, startedAt: within(call.startedAt), endedAt: within(call.endedAt) })),
  }
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), Math.max(min, max))
}
