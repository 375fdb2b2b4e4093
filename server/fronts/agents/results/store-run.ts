import { withoutRequestBounds } from '#db/connections/request-bounds.ts'
import { unavailable } from '../../../errors.ts'
import { withDeadline } from '../../../http/deadline.ts'
import { recordRunSpans } from '../../../runs/probes/run-spans.ts'
import type { FinishedRun } from '../../../runs/record/finished-run.ts'
import type { Gateway } from '../requests/gateway-context.ts'

/** Shorter than proxies wait. The agent then sends the result again. */
const STORE_MS = 20_000

/**
 * Stores a finished run. Returns false when another attempt holds it. The runs of all requests share transactions, so
 * none of them ends with the deadline of one request.
 * @throws ApiError `service_unavailable` when it takes too long
 */
export async function storeRun({ writer }: Pick<Gateway, 'writer'>, run: FinishedRun): Promise<boolean> {
  const stored = withoutRequestBounds(() => writer.write(run))
  // A rejection after the deadline has no other listener.
  stored.catch(() => {})
  const isStored = await withDeadline(STORE_MS, stored).catch(() => {
    throw unavailable()
  })
  if (isStored) recordRunSpans(run)
  return isStored
}
