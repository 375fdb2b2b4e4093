import type { Context } from '../../context.ts'
import type { BareRun, Run } from '../../schemas/runs.ts'

type Origin = Pick<Context, 'origin'>

/** Returns the address of a run's page in the dashboard. */
export function runUrl({ origin }: Origin, serviceId: string, runId: string): string {
  return `${origin}/services/${serviceId}/runs/${runId}`
}

/** Adds the addresses of its pages to a run. */
export function presentRun(ctx: Origin, run: BareRun): Run {
  const { id, serviceId, results } = run
  const shown = results.map((result) => ({
    ...result,
    url: `${ctx.origin}/services/${serviceId}/results/${result.id}`,
  }))
  return { ...run, url: runUrl(ctx, serviceId, id), results: shown }
}
