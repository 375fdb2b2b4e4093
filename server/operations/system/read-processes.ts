import type { Db } from '#db/client.ts'
import { desc, eq, sql } from '#db/drizzle.cjs'
import { agents } from '#db/schema/resources.ts'
import { workers } from '#db/schema/runs.ts'
import { webProcesses } from '#db/schema/system.ts'
import type { Settings } from '../../process/settings.ts'
import { isWorkerAlive } from '../../schedule/agent-liveness.ts'
import type { SystemProcess } from '../../schemas/system.ts'

/** A web process without a heartbeat for this long counts as dead; it sends one every 15 seconds. */
const WEB_STALE_SECONDS = 45
/** The processes of each kind that are shown. */
const PROCESSES_MAX = 100

/** Returns web processes, workers and remote agents, the newest of each kind first. */
export async function readProcesses(db: Db, settings: Settings): Promise<SystemProcess[]> {
  const webs = await db
    .select({
      id: webProcesses.id,
      version: webProcesses.version,
      host: webProcesses.host,
      startedAt: webProcesses.startedAt,
      lastSeenAt: webProcesses.heartbeatAt,
      isAlive: sql<boolean>`${webProcesses.heartbeatAt} > now() - make_interval(secs => ${WEB_STALE_SECONDS})`,
    })
    .from(webProcesses)
    .orderBy(desc(webProcesses.startedAt))
    .limit(PROCESSES_MAX)
  const others = await db
    .select({
      id: workers.id,
      kind: workers.kind,
      agent: agents.label,
      version: workers.version,
      host: workers.host,
      startedAt: workers.startedAt,
      lastSeenAt: workers.heartbeatAt,
      isAlive: isWorkerAlive(sql`workers`, settings.WORKER_STALE_SECONDS),
      slots: workers.slots,
      busy: workers.busy,
    })
    .from(workers)
    .leftJoin(agents, eq(agents.id, workers.agentId))
    .orderBy(desc(workers.kind), desc(workers.startedAt))
    .limit(2 * PROCESSES_MAX)
  const rows = [
    ...webs.map((web) => ({ ...web, kind: 'web' as const, agent: null, slots: null, busy: null })),
    ...others,
  ]
  return rows.map((row) => ({
    ...row,
    startedAt: row.startedAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  }))
}
