import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Test files that take twenty seconds or more, most of it waiting. They start first, because a long file that starts
 * last would delay the end. Files that need the dashboard follow others, during which it is built.
 */
const LONG = [
  'server/rest/fuzz',
  'worker/runs/deaths',
  'server/operations/services/scripts',
  'server/operations/permission-matrix',
  'server/rest/client',
  'end-to-end/start',
  'app/account',
  'app/organization',
  'app/services',
  'end-to-end/stalls',
  'end-to-end/separate',
  'end-to-end/refusals',
  'worker/http/hostile-memory',
  'worker/http/guard-runs',
  'end-to-end/readme',
  'server/statistics/oracle',
  'server/statistics/retention',
  'server/operations/auth/password-resets',
  'server/auth/throttle',
  'worker/runs/daylight-saving',
  'app/docs',
  'app/pages',
  'lace/fuzz',
  'worker/runs/outage',
  'db/faults',
  'worker/runs/queueing',
  'server/record/store-runs',
  'worker/http/hostile',
  'worker/runs/agents',
  'lace/cli',
].map((name) => `/test/${name}.test.ts`)

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rankOf = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(name))
      return at < 0 ? LONG.length : at
    }
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
