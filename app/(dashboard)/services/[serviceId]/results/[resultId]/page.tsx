import { setTimeout as sleep } from 'node:timers/promises'
import type { Metadata } from 'next'
import { statusText } from '#server/schemas/status/status-text.ts'
import { loadDifferences } from '../../../../../components/run-diff/load-differences.ts'
import { openAtFirst } from '../../../../../components/run-steps/open-steps.ts'
import { zonedText } from '../../../../../components/zoned-text.ts'
import { currentZone } from '../../../../../current-zone.ts'
import { type Load, load, Prefetch } from '../../../../../prefetch.tsx'
import { filtersIn } from '../../history/selection.ts'
import { urlParams } from '../../history/url-params.ts'
import { ResultView } from './result-view.tsx'

const BODY_MAX_BYTES = 64_000
const BODY_MAX_MS = 100

type Props = {
  params: Promise<{ serviceId: string; resultId: string }>
  searchParams: Promise<Record<string, string | string[]>>
}

/** The title says which run this is, because several results are open side by side. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { serviceId, resultId } = await params
  const [service, run] = await Promise.all([
    load('services.get', { id: serviceId }),
    load('results.get', { id: serviceId, resultId }),
  ])
  if (!service || !run) return { title: 'Result' }
  const recheck = run.recheckedBy ? await load('results.get', { id: serviceId, resultId: run.recheckedBy }) : null
  const status = recheck?.status === 'success' ? 'passed on recheck' : statusText(run.status)
  const time = zonedText(run.startedAt, await currentZone(), { dateStyle: 'medium', timeStyle: 'short' })
  // The title of the service's layout ends the template of the root.
  return { title: { absolute: `${service.name}: ${status}, ${time} – Soundline` } }
}

export default async function ResultPage(props: Props) {
  const [{ serviceId, resultId }, given, zone] = await Promise.all([props.params, props.searchParams, currentZone()])
  const run = { id: serviceId, resultId }
  const url = urlParams(given)
  return (
    <Prefetch
      load={(load) =>
        Promise.all([
          loadRun(load, run),
          loadCompared(load, run, url.get('compare')),
          load('results.neighbours', { ...run, ...filtersIn(url, zone) }),
        ])
      }
    >
      <ResultView serviceId={serviceId} resultId={resultId} />
    </Prefetch>
  )
}

type Run = { id: string; resultId: string }

/** Loads the run, its recheck or what it rechecked, and the bodies of the steps that are open. */
async function loadRun(load: Load, run: Run): Promise<void> {
  const result = await load('results.get', run)
  if (!result) return
  const other = result.recheckOf ?? result.recheckedBy
  if (other) await load('results.get', { id: run.id, resultId: other })
  const open = openAtFirst(result)
  const steps = result.steps.filter(({ stepNum, hasBody }) => hasBody && open.includes(stepNum))
  // A body can be large, and its store slow. The browser asks for what is not here in time.
  const bodies = steps
    .filter(({ responseSizeBytes: size }) => size !== null && size <= BODY_MAX_BYTES)
    .map(({ id }) => load('results.body', { ...run, stepId: id }))
  await Promise.race([Promise.all(bodies), sleep(BODY_MAX_MS)])
}

async function loadCompared(load: Load, run: Run, compare: string | null): Promise<void> {
  const resultId = compare === 'passing' ? (await load('results.lastPassing', run))?.result?.id : compare
  if (resultId) await loadDifferences(load, run.id, run.resultId, resultId)
}
