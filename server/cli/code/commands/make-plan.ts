import type { ApiClient } from '../../client/create-client.ts'
import { readFolder } from '../format/read.ts'
import { refusedNames } from '../plan/allowed-names.ts'
import type { Plan } from '../plan/changes.ts'
import { comparePlan } from '../plan/compare.ts'
import type { Options } from '../plan/compare-scope.ts'
import { readPresent } from '../remote/read-present.ts'
import { selectionOf } from '../remote/selection.ts'

/** Compares a folder with the installation as it is now. `allowEnv` are names that `fromEnv` may have. */
export async function makePlan(
  client: ApiClient,
  dir: string,
  { allowEnv = [], ...options }: Options & { allowEnv?: string[] | undefined },
): Promise<Plan> {
  const folder = await readFolder(dir)
  const plan = comparePlan(folder, await readPresent(client, selectionOf(folder)), options)
  return { ...plan, problems: [...plan.problems, ...refusedNames(plan.changes, allowEnv)] }
}
