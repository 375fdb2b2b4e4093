import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Test files that take twenty seconds or more, most of it waiting. They start first, because a long file that starts
 * last would delay the end. Files that need the dashboard follow others, during which it is built.
 */
const LONG = [
  'server/fronts/rest/fuzz',
  'server/operations/permission-matrix',
  'server/operations/two-organizations',
  'worker/tasks/deaths',
  'worker/runs/daylight-saving',
  'worker/runs/deaths',
  'worker/queue/queue',
  'lace/cli',
  'worker/http/hostile-memory',
  'db/pooled',
  'worker/agent/processes',
  'end-to-end/start',
  'app/account',
  'app/organization',
  'app/services',
  'app/pages',
  'end-to-end/stalls',
  'server/fronts/rest/client',
  'server/operations/services/scripts',
  'app/alerts/incidents',
  'server/backup/backup',
  'app/looks',
  'end-to-end/demo',
  'app/access',
  'app/who-hears',
  'lace/fuzz',
  'end-to-end/separate',
  'server/fronts/rest/client-living',
  'server/results/statistics/series',
  'app/live',
  'server/schedule/cron',
  'server/operations/account/totp',
  'server/cli/kills',
  'app/alerts/alerts',
  'server/results/statistics/retention',
  'app/scripts/editor',
  'app/docs',
  'app/results/page',
  'worker/http/guard-runs',
  'app/status/board',
  'app/new-service',
  'app/getting-around',
  'server/alerts/alerts/quiet-hours',
  'server/identity/auth/throttle',
  'server/results/statistics/oracle',
  'server/operations/auth/password-resets',
  'end-to-end/refusals',
  'server/runs/record/store-runs',
  'app/history',
  'app/lost-agents',
  'server/commands/rotate-keys',
  'worker/runs/agents',
  'worker/runs/outage',
  'worker/probe/failures',
  'rules/rules',
  'db/faults',
  'worker/runs/queueing',
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
