import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Test files that take some seconds, the longest first, because a long file that starts last would delay the end. Those that
 * mostly wait stand between those that compute: side by side they would leave the machine idle. Files that need the
 * dashboard follow others, during which it is built.
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
  'worker/metrics',
  'end-to-end/dev',
  'app/passkeys',
  'worker/http/hostile-memory',
  'end-to-end/separate',
  'worker/http/hostile',
  'server/operations/auth/password-resets',
  'app/getting-around',
  'server/runs/record/hostile-results',
  'worker/runs/queueing',
  'app/alerts/rechecks',
  'server/runs/record/store-runs',
  'rules/rules',
  'worker/runs/probing',
  'app/live',
  'lace/fuzz',
  'server/alerts/alerts/quiet-hours',
  'worker/probe/failures',
  'server/fronts/rest/recipes',
  'server/runs/record/churn',
  'server/fronts/agents/body-uploads',
  'db/replicated',
  'server/fronts/rest/document-examples',
  'app/charts/journey',
  'server/cli/code/round-trip',
  'server/http/rate-limits',
  'app/history',
  'end-to-end/refusals',
  'worker/runs/rechecks',
  'deploy/containerfile',
  'server/results/statistics/series',
  'server/identity/auth/throttle',
  'app/status/unknown',
  'app/agents-join',
  'worker/probe/secrets',
  'app/alerts/maintenance',
  'server/runs/redaction/redact',
  'db/pool-shares',
  'server/process/database-owner',
  'worker/runs/maintenance',
  'worker/runs/certificates',
  'worker/tasks/delivery-log',
  'server/operations/account/totp',
  'server/process/folder-lock',
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
