import type { Db } from '#db/client.ts'
import { log } from '../../process/log.ts'
import { messageOf, warnOperator } from './warnings.ts'

/**
 * Does the parts of a job one after another. A part that fails does not stop the others, and the operator is warned of it.
 * @throws the last failure
 */
export async function runParts(db: Db, job: string, parts: Record<string, () => Promise<unknown>>): Promise<void> {
  let failure: unknown = null
  for (const [name, work] of Object.entries(parts)) {
    try {
      await work()
    } catch (error) {
      failure = error
      log.error({ err: error }, `${job}: ${name} failed`)
      warnOperator(db, 'upkeep_failed', name, messageOf(error))
    }
  }
  if (failure) throw failure
}
