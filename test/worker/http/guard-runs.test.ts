import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type agents, services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { runs } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { openStore } from '#server/bodies/store.ts'
import { claimRuns } from '#server/runs/probes/leases.ts'
import { createRunLoader } from '#server/runs/probes/run-loader.ts'
import { createRecordWriter } from '#server/runs/record/writer.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createVault } from '#server/vault.ts'
import { testDatabase } from '#test/support/database.ts'
import type { ProjectRow } from '#test/support/factories.ts'
import { quoted } from '#test/support/runs/scripts.ts'
import { type Canaries, startCanaries } from '#test/support/targets/canary.ts'
import { blockedPayloads } from '#test/support/targets/payloads.ts'
import { createTransport } from '#worker/http/client.ts'
import { shareTransport } from '#worker/http/shared-transport.ts'
import { createProber } from '#worker/runs/prober.ts'

// Scripts that saving would reject are written directly to the database, then run as a worker does: claim, load,
// execute, record.

const database = testDatabase()
const vault = createVault([{ id: 'test', secret: '0123456789abcdef'.repeat(4) }])
/** Runs that are claimed in one statement and performed together. */
const CLAIMED = 50
/** Rows per insert. */
const BATCH = 500

let canaries: Canaries
let agent: typeof agents.$inferSelect
let project: ProjectRow
const resolved: string[] = []

beforeAll(async () => {
  canaries = await startCanaries()
  agent = await database.create.agent()
  project = await database.create.project(await database.create.workspace(await database.create.organization()))
})
afterAll(() => canaries.close())

/** Stores a service and a queued run for each script, performs the runs, and returns their results. */
async function perform(scripts: { script: string; target?: string }[], allowed: string[] = []) {
  const { organizationId } = project
  const prepared = scripts.map((one) => ({ ...one, id: uuidv7(), runId: uuidv7() }))
  for (let at = 0; at < prepared.length; at += BATCH) {
    const batch = prepared.slice(at, at + BATCH)
    const stored = batch.map(({ id, script }) => ({
      ...{ id, organizationId, projectId: project.id, name: id, script, version: 2, isActive: true },
      ...{ schedule: '0 0 1 1 *', saveResponseBodies: false },
    }))
    await database.db.insert(services).values(stored)
    const targets = batch.flatMap(({ id, target }) => {
      if (target === undefined) return []
      const row = { id: uuidv7(), organizationId, serviceId: id, key: 'target', type: 'variable' as const }
      return [{ ...row, sealed: vault.seal(target, 'variable', organizationId, row.id) }]
    })
    if (targets.length > 0) await database.db.insert(variables).values(targets)
    const queued = batch.map(({ id, runId }) => ({
      ...{ id: runId, organizationId, serviceId: id, agentId: agent.id },
      ...{ slot: new Date(), cause: 'request' as const },
    }))
    await database.db.insert(runs).values(queued)
  }
  const transport = createTransport({
    allowedNetworks: parseNetworks(allowed),
    resolver: async (host) => {
      resolved.push(host)
      return ['127.0.0.1', '::1']
    },
  })
  const worker = { id: uuidv7(), agentId: agent.id, agentSlug: agent.slug, leaseSeconds: 600 }
  const prober = createProber(
    database.db,
    worker,
    {
      db: database.db,
      transportOf: shareTransport(transport, 4),
      bodies: { id: uuidv7(), store: openStore(pathToFileURL(tmpdir()).href) },
      runTimeoutMs: 60_000,
      load: createRunLoader(database.db, vault, { TRUSTED_DOMAIN_MODE: false, PROBE_ALLOWED_NETWORKS: allowed }),
    },
    createRecordWriter(database.db, { variablesMax: 100 }),
    () => {},
  )
  for (let at = 0; at < prepared.length; at += CLAIMED) {
    const batch = prepared.slice(at, at + CLAIMED).map(({ runId }) => ({ organizationId, id: runId }))
    await Promise.all((await claimRuns(database.db, batch, worker)).map(prober.perform))
  }
  const rows = await database.db.select().from(results)
  const byService = new Map(rows.map((row) => [row.serviceId, row]))
  return prepared.map(({ id }) => byService.get(id))
}

type Performed = Awaited<ReturnType<typeof perform>>[number]

/** Returns status and error of a run. */
function outcomeOf(result: Performed): string {
  return `${result?.status}: ${result?.steps[0]?.error ?? result?.raw?.error ?? null}`
}

const BLOCKED = 'failure: blocked_probe_target: probes may not reach this target'
const USER_INFORMATION =
  'failure: blocked_probe_target: the URL is one with user information (a name or a password before the host), which ' +
  'probes do not send'

test('a run reaches no blocked target, whether the script or a variable contains it', async () => {
  // guard.test.ts gives the client all that are URLs.
  const given = blockedPayloads(canaries.port).filter(({ url }, index) => index % 6 === 0 || !URL.parse(url))
  const done = await perform(
    given.map(({ url }, index) => {
      // The database cannot store NUL in a script, but a sealed variable may contain it.
      if (index % 2 === 0 && !url.includes('\0')) return { script: `get(${quoted(url)}).expect(status: 200)` }
      return { script: 'get("$s.target").expect(status: 200)', target: url }
    }),
  )
  expect(new Set(given.map((payload) => payload.class)).size).toBe(37)
  const outcomes = Map.groupBy(done, outcomeOf)
  const counts = Object.fromEntries([...outcomes].map(([outcome, all]) => [outcome, all.length]))
  expect(counts).toEqual({
    [BLOCKED]: 177,
    [USER_INFORMATION]: 5,
    'failure: the URL is not valid': 11,
    'failure: validation failed: PARSE_ERROR (line 1: the URL is empty)': 1,
  })
  expect(done.every((result) => result?.totalResponseMs === 0)).toBe(true)
  expect({ hits: canaries.hits(), resolved }).toEqual({ hits: 0, resolved: [] })
})

test('a run that is allowed to reach a canary does, and the canary counts it', async () => {
  const before = canaries.hits()
  const script = `get("http://127.0.0.1:${canaries.port}/").expect(status: 200)`
  expect((await perform([{ script }], ['127.0.0.1'])).map(outcomeOf)).toEqual(['success: null'])
  expect(canaries.hits() - before).toBe(1)
})
