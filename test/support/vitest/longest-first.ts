import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Test files that take eight seconds or more, the longest first, because a long file that starts last would delay the end.
 * Those that mostly wait stand between those that compute: side by side they would leave the machine idle. Files that need
 * the dashboard follow others, during which it is built.
 */
const LONG = [
  'server/operations/permission-matrix',
  'worker/runs/deaths',
  'server/fronts/rest/fuzz',
  'worker/queue/queue',
  'worker/runs/outage',
  'server/operations/two-organizations',
  'worker/runs/agents',
  'server/results/statistics/retention',
  'worker/tasks/deaths',
  'db/pooled',
  'worker/runs/daylight-saving',
  'server/backup/backup',
  'app/pages',
  'app/organization',
  'app/services',
  'db/faults',
  'end-to-end/start',
  'app/results/page',
  'app/alerts/incidents',
  'app/account',
  'server/live/rights-after-waits',
  'end-to-end/stalls',
  'app/docs',
  'app/new-service',
  'app/status/board',
  'app/access',
  'app/looks',
  'server/live/streams',
  'server/cli/kills',
  'app/scripts/editor',
  'end-to-end/demo',
  'server/cli/deploy',
  'app/alerts/alerts',
  'app/lists/service-list',
  'app/who-hears',
  'server/cli/run',
  'end-to-end/remote-agents',
  'server/fronts/rest/client',
  'server/fronts/rest/recipes',
  'worker/http/hostile',
  'worker/metrics',
  'worker/http/hostile-memory',
  'server/operations/auth/password-resets',
  'app/passkeys',
  'end-to-end/dev',
  'worker/runs/queueing',
  'end-to-end/separate',
  'app/getting-around',
  'server/runs/record/hostile-results',
  'worker/runs/probing',
  'app/alerts/rechecks',
  'server/runs/record/store-runs',
  'worker/probe/failures',
  'app/live',
  'db/replicated',
  'end-to-end/agents',
  'server/http/rate-limits',
  'rules/rules',
  'server/alerts/alerts/quiet-hours',
  'worker/runs/rechecks',
  'lace/fuzz',
  'server/identity/auth/throttle',
  'worker/probe/secrets',
  'server/runs/record/churn',
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
