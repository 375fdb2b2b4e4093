import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { services } from '#db/schema/resources.ts'
import { runs } from '#db/schema/runs.ts'
import { openStore } from '#server/bodies/store.ts'
import { storeOnce } from '#server/bodies/store-once.ts'
import type { ClaimedRun } from '#server/probes/leases.ts'
import { createRunLoader } from '#server/probes/run-loader.ts'
import { createRecordWriter } from '#server/record/writer.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createVault } from '#server/vault.ts'
import { createOrganization, createProject, createWorkspace, type ProjectRow } from '#test/support/factories.ts'
import { findOrCreateAgent } from '#worker/heartbeat.ts'
import { createTransport } from '#worker/http/client.ts'
import { shareTransport } from '#worker/http/shared-transport.ts'
import { createProber } from '#worker/runs/prober.ts'
import { measureHere, type Side } from '../frame/alternate.ts'
import { inParallel } from './peers.ts'
import { scriptFor } from './whole-run.ts'

/** As many as a busy worker has in flight: with fewer, the batches of reading and storing are smaller. */
const IN_FLIGHT = 100
const SERVICES = 1_000
const HOSTS = 16
const NETWORKS = ['127.0.0.0/8']
const LEASE_SECONDS = 600
const ROWS_PER_INSERT = 1_000

/** Returns a side that performs claimed runs of a target as a worker does, reading and storing in the database included. */
export async function recordedSide(
  db: Db,
  port: number,
  count: number,
): Promise<Side & { close: () => Promise<void> }> {
  const agent = await findOrCreateAgent(db, 'bench')
  const worker = { id: uuidv7(), agentId: agent.id, agentSlug: agent.slug, leaseSeconds: LEASE_SECONDS }
  const folder = await mkdtemp(join(tmpdir(), 'soundline-bench-probe-'))
  const vault = createVault([{ id: 'bench', secret: '0123456789abcdef'.repeat(4) }])
  let stored = 0
  const prober = createProber(
    db,
    worker,
    {
      db,
      load: createRunLoader(db, vault, { TRUSTED_DOMAIN_MODE: false, PROBE_ALLOWED_NETWORKS: NETWORKS }),
      transportOf: shareTransport(createTransport({ allowedNetworks: parseNetworks(NETWORKS) }), 8),
      bodies: { id: uuidv7(), store: storeOnce(openStore(pathToFileURL(folder).href)) },
      runTimeoutMs: 60_000,
    },
    createRecordWriter(db, { variablesMax: 100 }),
    () => {
      stored += 1
    },
  )
  const project = await createProject(db, await createWorkspace(db, await createOrganization(db)))
  const ids = await createServices(db, project, SERVICES, (i) => `http://127.0.0.${1 + (i % HOSTS)}:${port}/`)
  const side = async () => {
    const claimed = await insertClaimedRuns(db, project.organizationId, ids, worker, count)
    stored = 0
    const measured = await measureHere(async () => {
      await inParallel(count, IN_FLIGHT, (i) => prober.perform(claimed[i] as ClaimedRun))
      return count
    })
    if (stored < count) throw new Error(`only ${stored} of ${count} runs were stored`)
    return measured
  }
  return Object.assign(side, { close: () => rm(folder, { recursive: true, force: true }) })
}

/** Creates services that run every minute, and returns their ids. */
export async function createServices(
  db: Db,
  project: ProjectRow,
  count: number,
  urlOf: (i: number) => string,
): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, i) => ({
    id: uuidv7(),
    organizationId: project.organizationId,
    projectId: project.id,
    name: `Service ${i}`,
    schedule: '* * * * *',
    script: scriptFor(urlOf(i)),
    isActive: true,
    version: 2,
  }))
  for (let i = 0; i < count; i += ROWS_PER_INSERT) await db.insert(services).values(rows.slice(i, i + ROWS_PER_INSERT))
  return rows.map((row) => row.id)
}

async function insertClaimedRuns(
  db: Db,
  organizationId: string,
  serviceIds: string[],
  worker: { id: string; agentId: string },
  count: number,
): Promise<ClaimedRun[]> {
  const cause = 'schedule' as const
  const rows = Array.from({ length: count }, (_, i) => ({
    id: uuidv7(),
    organizationId,
    serviceId: serviceIds[i % serviceIds.length] as string,
    agentId: worker.agentId,
    workerId: worker.id,
    slot: new Date(Date.now() + i),
    cause,
    state: 'running' as const,
    attempt: 1,
  }))
  for (let i = 0; i < count; i += ROWS_PER_INSERT) await db.insert(runs).values(rows.slice(i, i + ROWS_PER_INSERT))
  return rows.map(({ id, serviceId }) => ({
    id,
    organizationId,
    serviceId,
    attempt: 1,
    isSlow: false,
    run: { id, cause, hasValues: false },
    clockAheadMs: 0,
  }))
}
