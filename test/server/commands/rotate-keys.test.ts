import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { users } from '#db/schema/organizations.ts'
import { runRequests } from '#db/schema/run-requests.ts'
import { variables } from '#db/schema/scoped.ts'
import { webhookAttempts, webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { openLogged, sealLogged } from '#server/alerts/webhooks/delivery-log.ts'
import { SEALED_COLUMNS } from '#server/backup/sealed-columns.ts'
import { reseal } from '#server/commands/resealing.ts'
import { sealTotpSecret } from '#server/identity/auth/totp.ts'
import { requireDatabaseUrl } from '#server/process/embedded-database.ts'
import { findSecretKeys } from '#server/process/secret-keys.ts'
import { parseSettings } from '#server/process/settings.ts'
import { openRunValues, sealRunValues } from '#server/schedule/run-values.ts'
import { createVault } from '#server/vault.ts'
import { testDatabase } from '#test/support/database.ts'
import type { Organization } from '#test/support/factories.ts'
import { runCommand } from '#test/support/processes/commands.ts'

const database = testDatabase()
const OLD = { id: 'old', secret: 'o'.repeat(32) }
const NEW = { id: 'old2', secret: 'n'.repeat(32) }
const before = createVault([OLD])
const between = createVault([NEW, OLD])
const after = createVault([NEW])
const VALUES = { 's.base': 'https://preview.example' }
const EXCHANGE = { sentBody: `sent ${'x'.repeat(200)}`, responseBody: 'received' }

let organization: Organization
beforeAll(async () => {
  organization = await database.create.organization()
})

type Sealed = { variableIds: string[]; webhookId: string; deliveryId: string; runId: string }

/** Creates one of each kind of sealed value, and many variables. */
async function sealAll(count = 50): Promise<Sealed> {
  const { db } = database
  const organizationId = organization.id
  await db.delete(variables)
  const rows = Array.from({ length: count }, (_, index) => {
    const id = uuidv7()
    return {
      id,
      organizationId,
      key: `k${index}_${id.slice(-6)}`,
      type: 'secret' as const,
      sealed: before.seal(`value ${id}`, 'variable', organizationId, id),
    }
  })
  await db.insert(variables).values(rows)
  const metric = { id: uuidv7(), organizationId, key: 'plain', type: 'metric' as const, value: '1' }
  await db.insert(variables).values(metric)
  const webhookId = uuidv7()
  const sealed = before.seal('config', 'webhook', organizationId, webhookId)
  await db.insert(webhooks).values({ id: webhookId, organizationId, name: webhookId, sealed })
  const runId = uuidv7()
  const values = sealRunValues(before, { id: runId, organizationId }, VALUES)
  await db.insert(runRequests).values({ id: runId, organizationId, serviceId: uuidv7(), sealed: values })
  const delivery = { id: uuidv7(), organizationId, webhookId }
  await db.insert(webhookDeliveries).values({
    ...delivery,
    sentBody: sealLogged(before, delivery, 'sentBody', EXCHANGE.sentBody),
    eventId: uuidv7(),
    kind: 'webhook.test',
    payload: {},
  })
  const attempt = { id: uuidv7(), organizationId }
  await db.insert(webhookAttempts).values({
    ...{ ...attempt, deliveryId: delivery.id, startedAt: new Date(), latencyMs: 1 },
    responseBody: sealLogged(before, attempt, 'responseBody', EXCHANGE.responseBody),
  })
  const { userId } = organization.owner
  await db
    .update(users)
    .set({ totpSecret: sealTotpSecret(before, userId, 'SECRET') })
    .where(eq(users.id, userId))
  return { variableIds: rows.map((row) => row.id), webhookId, deliveryId: delivery.id, runId }
}

async function openAll(vault: typeof after, { variableIds, webhookId, deliveryId, runId }: Sealed): Promise<void> {
  const rows = await database.db.select().from(variables)
  for (const id of variableIds) {
    const row = rows.find((one) => one.id === id)
    expect(vault.open(row?.sealed as Buffer, 'variable', organization.id, id)).toBe(`value ${id}`)
  }
  const [request] = await database.db.select().from(runRequests).where(eq(runRequests.id, runId))
  const { id: organizationId } = organization
  expect(openRunValues(vault, { id: runId, organizationId }, request?.sealed as Buffer)).toEqual(VALUES)
  const [webhook] = await database.db.select().from(webhooks).where(eq(webhooks.id, webhookId))
  expect(vault.open(webhook?.sealed as Buffer, 'webhook', organization.id, webhookId)).toBe('config')
  const [delivery] = await database.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, deliveryId))
  const [attempt] = await database.db.select().from(webhookAttempts).where(eq(webhookAttempts.deliveryId, deliveryId))
  if (!delivery || !attempt) throw new Error('nothing is sealed')
  expect({
    sentBody: openLogged(vault, delivery, 'sentBody', delivery.sentBody),
    responseBody: openLogged(vault, attempt, 'responseBody', attempt.responseBody),
  }).toEqual(EXCHANGE)
  const { userId } = organization.owner
  const [user] = await database.db.select().from(users).where(eq(users.id, userId))
  expect(vault.open(user?.totpSecret as Buffer, 'totp', userId, userId)).toBe('SECRET')
}

const changedOf = (done: Awaited<ReturnType<typeof reseal>>) =>
  Object.fromEntries(done.map(({ table, changed }) => [table, changed]))

describe('re-sealing every secret', () => {
  test('uses the newest key; then the older one is not needed, and a second pass does nothing', async () => {
    const sealed = await sealAll()
    await openAll(before, sealed)
    const batches: number[] = []
    const done = await reseal(database.db, between, { batch: 7, onBatch: (_, changed) => batches.push(changed) })
    expect(changedOf(done)).toMatchObject({ variables: 50, users: 1 })
    expect(batches.length).toBeGreaterThan(7)
    await openAll(after, sealed)
    expect(changedOf(await reseal(database.db, between))).toEqual({
      variables: 0,
      deleted_rows: 0,
      run_requests: 0,
      draft_runs: 0,
      idempotent_answers: 0,
      webhooks: 0,
      users: 0,
      webhook_deliveries: 0,
      webhook_attempts: 0,
    })
  })

  test('knows every column of sealed values', async () => {
    const columns = await database.db.execute<{ table: string }>(sql`
      select table_name as table from information_schema.columns
      where table_schema = 'public' and column_name = 'sealed'`)
    expect(columns.length).toBeGreaterThan(0)
    const known = SEALED_COLUMNS.filter(({ column }) => column === 'sealed').map(({ table }) => table)
    expect(known.sort()).toEqual(columns.map(({ table }) => table).sort())
  })

  test('works while the product reads and writes', async () => {
    const sealed = await sealAll(100)
    let running = true
    let reads = 0
    const reader = async () => {
      while (running) {
        await openAll(between, sealed)
        reads++
      }
    }
    // As an operation does it: with a lock on the row, and with the key that this process believes to be the newest.
    const writer = async () => {
      for (let index = 0; running; index = (index + 37) % 100) {
        const id = sealed.variableIds[index] as string
        await database.db.transaction(async (tx) => {
          await tx.select().from(variables).where(eq(variables.id, id)).for('update')
          const resealed = between.seal(`value ${id}`, 'variable', organization.id, id)
          await tx.update(variables).set({ sealed: resealed }).where(eq(variables.id, id))
        })
      }
    }
    const others = Promise.all([reader(), reader(), writer()])
    // Two passes at once do not block each other.
    await Promise.all([reseal(database.db, between, { batch: 3 }), reseal(database.db, between, { batch: 5 })])
    running = false
    await others
    expect(reads).toBeGreaterThan(2)
    await openAll(after, sealed)
  })

  test('continues after an interruption', async () => {
    const sealed = await sealAll(30)
    const stop = () => {
      throw new Error('killed')
    }
    await expect(reseal(database.db, between, { batch: 10, onBatch: stop })).rejects.toThrow('killed')
    await openAll(between, sealed)
    expect(changedOf(await reseal(database.db, between, { batch: 10 }))).toMatchObject({ variables: 20 })
    await openAll(after, sealed)
  })

  test('a value that does not open is not changed, and is reported', async () => {
    const sealed = await sealAll(5)
    const [lost, moved] = sealed.variableIds as [string, string]
    const stranger = createVault([{ id: 'gone', secret: 'g'.repeat(32) }])
    const gone = stranger.seal('x', 'variable', organization.id, lost)
    await database.db.update(variables).set({ sealed: gone }).where(eq(variables.id, lost))
    const copied = before.seal('x', 'variable', organization.id, randomUUID())
    await database.db.update(variables).set({ sealed: copied }).where(eq(variables.id, moved))
    const [done] = await reseal(database.db, between, { batch: 2 })
    expect(done).toMatchObject({ table: 'variables', changed: 3 })
    expect(done?.failed.toSorted()).toEqual([lost, moved].toSorted())
    const [row] = await database.db.select().from(variables).where(eq(variables.id, lost))
    expect(row?.sealed?.equals(gone)).toBe(true)
    await database.db.delete(variables)
  })
})

describe('npm run rotate-keys', () => {
  const run = (environment: Record<string, string>) => runCommand('server/commands/rotate-keys.ts', [], environment)
  const both = `${NEW.id}:${NEW.secret},${OLD.id}:${OLD.secret}`

  test('reports its work, and exits with 0', async () => {
    const sealed = await sealAll(3)
    const { code, stdout } = await run({ DATABASE_URL: database.url, SECRET_KEYS: both })
    expect(stdout).toContain('variables: 3 re-sealed with "old2"')
    expect(stdout).toContain('users: 1 re-sealed with "old2"')
    expect(code).toBe(0)
    await openAll(after, sealed)
  })

  test('exits with 1 and names a value that does not open, and without keys', async () => {
    const { variableIds } = await sealAll(1)
    const alone = await run({ DATABASE_URL: database.url, SECRET_KEYS: `${NEW.id}:${NEW.secret}` })
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining(`variables ${variableIds[0]}`) })
    expect(alone.stderr).not.toContain(NEW.secret)
    expect(await run({ DATABASE_URL: database.url })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^SECRET_KEYS: .*\n$/),
    })
  })

  test('without settings, uses the embedded database and the stored keys', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'soundline-rotate-'))
    try {
      const env = { DATA_DIR: folder }
      const settings = parseSettings(env)
      expect(() => requireDatabaseUrl(settings)).toThrow(/^DATABASE_URL: must be set, because .+$/)
      const { port, password } = new URL(inject('postgresUrl'))
      writeFileSync(join(folder, 'postgres-port'), port)
      writeFileSync(join(folder, 'postgres-password'), password)
      expect(findSecretKeys(settings)).toBeUndefined()
      writeFileSync(join(folder, 'secret-keys'), both)
      // The message shows that it was reached: this database has no tables of ours.
      expect(await run(env)).toMatchObject({ code: 1, stderr: expect.stringContaining('npm run migrate') })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
