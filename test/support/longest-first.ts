import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take twenty seconds or more, most of it waiting. Begun last, one of them alone would hold up the end. What
 * needs the dashboard comes behind others, beside which it is built.
 */
const LONG = [
  'api/facade-fuzz',
  'worker/deaths',
  'api/services-scripts',
  'api/permission-matrix',
  'api/client',
  'end-to-end/start',
  'dashboard/account',
  'dashboard/organization',
  'dashboard/services',
  'operate/stalls',
  'end-to-end/separate',
  'end-to-end/refusals',
  'worker/hostile-memory',
  'worker/guard-runs',
  'end-to-end/readme',
  'statistics/oracle',
  'statistics/retention',
  'api/auth-password-reset',
  'api/auth-throttle',
  'worker/daylight-saving',
  'dashboard/docs',
  'dashboard/pages',
  'lace/fuzz',
  'worker/outage',
  'operate/database-faults',
  'worker/queueing',
  'worker/recording',
  'worker/hostile',
  'worker/agents',
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
