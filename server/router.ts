import { accessRouter } from './operations/access.ts'
import { accountRouter } from './operations/account/account.ts'
import { agentsRouter } from './operations/agents.ts'
import { alertsRouter } from './operations/alerts.ts'
import { authRouter } from './operations/auth/auth.ts'
import { batchesRouter } from './operations/batches/batches.ts'
import { deletionsRouter } from './operations/deletions.ts'
import { draftsRouter } from './operations/drafts.ts'
import { followsRouter } from './operations/follows.ts'
import { groupsRouter } from './operations/groups.ts'
import { incidentsRouter } from './operations/incidents/incidents.ts'
import { keyRouter } from './operations/key.ts'
import { liveRouter } from './operations/live.ts'
import { maintenancesRouter } from './operations/maintenances/maintenances.ts'
import { membersRouter } from './operations/members.ts'
import { metricsRouter } from './operations/metrics.ts'
import { organizationRouter } from './operations/organization/organization.ts'
import { projectsRouter } from './operations/projects/projects.ts'
import { resultsRouter } from './operations/results.ts'
import { scheduleRouter } from './operations/schedule.ts'
import { servicesRouter } from './operations/services/services.ts'
import { setupRouter } from './operations/setup.ts'
import { silencesRouter } from './operations/silences.ts'
import { statisticsRouter } from './operations/statistics.ts'
import { statusRouter } from './operations/status/status.ts'
import { systemRouter } from './operations/system/system.ts'
import { variablesRouter } from './operations/variables/variables.ts'
import { webhooksRouter } from './operations/webhooks/webhooks.ts'
import { workspacesRouter } from './operations/workspaces.ts'
import { createCallerFactory, router } from './trpc.ts'

/** Every operation of the product. The dashboard and the public API both call it. */
export const appRouter = router({
  access: accessRouter,
  account: accountRouter,
  agents: agentsRouter,
  alerts: alertsRouter,
  auth: authRouter,
  batches: batchesRouter,
  deletions: deletionsRouter,
  drafts: draftsRouter,
  follows: followsRouter,
  groups: groupsRouter,
  incidents: incidentsRouter,
  key: keyRouter,
  live: liveRouter,
  maintenances: maintenancesRouter,
  members: membersRouter,
  organization: organizationRouter,
  projects: projectsRouter,
  results: resultsRouter,
  schedule: scheduleRouter,
  services: servicesRouter,
  metrics: metricsRouter,
  setup: setupRouter,
  statistics: statisticsRouter,
  silences: silencesRouter,
  status: statusRouter,
  system: systemRouter,
  variables: variablesRouter,
  webhooks: webhooksRouter,
  workspaces: workspacesRouter,
})

export type AppRouter = typeof appRouter

export const createCaller = createCallerFactory(appRouter)
