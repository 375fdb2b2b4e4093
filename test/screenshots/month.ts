import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { ensurePartitions } from '#db/partitions.ts'
import { registerStore, storeFor, storeUrl } from '#server/bodies/store.ts'
import { DAY_MS, MINUTE_MS } from '#server/durations.ts'
import { runScript } from '#server/language/lace/executor.ts'
import { validateScript } from '#server/language/lace/validator.ts'
import type { Settings } from '#server/process/settings.ts'
import { type BodyTarget, captureBodies, NO_BODIES } from '#server/runs/probes/body-capture.ts'
import { finishRun } from '#server/runs/probes/finish.ts'
import { collectCertificates } from '#server/runs/probes/seen-certificates.ts'
import type { FinishedRun } from '#server/runs/record/finished-run.ts'
import { foldDays } from '#server/runs/record/rollups/days.ts'
import { storeRuns } from '#server/runs/record/store-runs.ts'
import { createRedactor } from '#server/runs/redaction/redact.ts'
import { seeded } from './random.ts'
import type { PlannedService } from './services.ts'
import { simulatedTarget } from './target.ts'

// A month of runs: the real scripts against simulated targets, stored by the worker's own functions.

const BATCH = 400
/** Bodies of older runs are not stored. */
const BODIES_MS = 6 * 60 * MINUTE_MS
/** Runs of the paused service end this long ago. */
const PAUSED_MS = 3 * DAY_MS

export type Agent = { id: string; slug: string }
export type CreatedService = { id: string; organizationId: string; plan: PlannedService }
type Due = { service: CreatedService; agent: Agent; at: Date }

export async function storeMonth(
  db: Db,
  services: CreatedService[],
  agents: Agent[],
  settings: Settings,
  { now, days }: { now: Date; days: number },
) {
  await ensurePartitions(db, new Date(now.getTime() - (days + 1) * DAY_MS), days + 3)
  const url = storeUrl(settings)
  const bodies = { id: (await registerStore(db, url)).id, store: storeFor(url, settings) }
  const random = seeded(14)
  const redactor = await createRedactor([])
  const due = dueRuns(services, agents, now, days)
  for (let i = 0; i < due.length; i += BATCH) {
    const batch: FinishedRun[] = []
    for (const one of due.slice(i, i + BATCH)) batch.push(await perform(one))
    await db.transaction((tx) => storeRuns(tx, batch, { variablesMax: 100 }))
  }
  await foldDays(db, now)

  async function perform({ service, agent, at }: Due): Promise<FinishedRun> {
    const { script, version } = scriptAt(service.plan, at, now)
    const { ast } = validateScript(script, {
      scopes: [],
      variables: null,
      hasPrev: false,
      maxTimeoutMs: 300_000,
      maxRedirects: 10,
    })
    if (!ast) throw new Error(`The script of ${service.plan.name} is not valid`)
    const capture = startCapture(service, at, bodies)
    const simulated = simulatedTarget({ ...service.plan, script }, { at, now, agentSlug: agent.slug, random })
    const certificates = collectCertificates()
    const seen = { bodies: capture?.sink ?? null, onCertificate: certificates.add }
    const result = await runScript({ ast, ...simulated, startedAt: at, ...seen })
    const attempt = { id: uuidv7(), attempt: 1, organizationId: service.organizationId, serviceId: service.id }
    const finished = await finishRun(
      { ...attempt, agentId: agent.id, agentSlug: agent.slug },
      result,
      ast,
      (await capture?.settle()) ?? NO_BODIES,
      redactor,
      { certificates: certificates.all() },
    )
    finished.result.scriptVersion = version
    return finished
  }

  function startCapture({ id: serviceId, organizationId }: CreatedService, startedAt: Date, target: BodyTarget) {
    if (now.getTime() - startedAt.getTime() > BODIES_MS) return null
    return captureBodies(target, { organizationId, serviceId, startedAt }, redactor, (error) => {
      throw error
    })
  }
}

/** All runs in order of time. The agents take turns. */
function dueRuns(services: CreatedService[], agents: Agent[], now: Date, days: number): Due[] {
  const due = services.flatMap((service, index) => {
    const every = service.plan.everyMinutes * MINUTE_MS
    const until = now.getTime() - (service.plan.isPaused ? PAUSED_MS : (2 * MINUTE_MS) / (1 + (index % 3)))
    const count = Math.floor((until - now.getTime() + days * DAY_MS) / every)
    return Array.from({ length: count }, (_, i) => ({
      service,
      agent: agents[i % agents.length] as Agent,
      at: new Date(until - (count - 1 - i) * every),
    }))
  })
  return due.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

/** The first script of a service is version 2. */
function scriptAt({ script, earlier = [] }: PlannedService, at: Date, now: Date): { script: string; version: number } {
  const ago = (now.getTime() - at.getTime()) / MINUTE_MS
  const index = earlier.findIndex(({ replacedMinutesAgo }) => ago > replacedMinutesAgo)
  const number = index < 0 ? earlier.length : index
  return { script: earlier[number]?.script ?? script, version: number + 2 }
}
