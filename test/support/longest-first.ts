import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take half a minute or more, most of it waiting. Begun last, one of them alone would hold up the end. */
const LONG = [
  'end-to-end/start',
  'worker/deaths',
  'api/facade-fuzz',
  'dashboard/pages',
  'worker/daylight-saving',
  'end-to-end/refusals',
  'api/permission-matrix',
  'dashboard/organization',
  'worker/hostile-memory',
  'worker/outage',
  'lace/fuzz',
  'dashboard/services',
  'dashboard/account',
  'api/services-scripts',
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
