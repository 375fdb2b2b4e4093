import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { testApi } from '#test/support/api/api.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS } from '#test/support/runs/worker-processes.ts'
import { auditOf } from '#test/support/side-effects.ts'
import { type HttpTarget, readAll, startHttpTarget } from '#test/support/targets/http-target.ts'

// A worker delivers to a receiver that fails at first, and a member reads the log and sends the message again.

const api = testApi({ settings: { PROBE_ALLOWED_NETWORKS: '127.0.0.0/8', SECRET_KEYS: TEST_SECRET_KEYS } })
const { start: startWorker } = testWorkers(api.databaseUrl)

let target: HttpTarget
const statuses = [500, 500, 200, 202]
const received: { id: unknown; body: string }[] = []

beforeAll(async () => {
  target = await startHttpTarget(async (request, response) => {
    received.push({ id: request.headers['webhook-id'], body: (await readAll(request)).toString() })
    response.writeHead(statuses[received.length - 1] ?? 400).end(`answer ${received.length}`)
  })
  await startWorker()
})

afterAll(() => target.close())

test('every attempt is in the log, and a message that is sent again adds to it', async () => {
  const organization = await api.create.organization()
  const { webhooks } = (await api.caller(organization.owner)).organization
  const { id: webhookId } = await webhooks.create({ name: 'Chat', url: `http://127.0.0.1:${target.port}/` })
  const { id } = await webhooks.test({ id: webhookId })
  const log = async () => {
    // The next attempt is due in some seconds: now is soon enough.
    await api.db.execute(sql`
      update graphile_worker._private_jobs set run_at = now() where key = ${`delivery:${id}`} and locked_at is null`)
    return (await webhooks.deliveries.get({ id })).log
  }
  await expect.poll(async () => (await log()).length, { timeout: 60_000, interval: 200 }).toBe(3)
  const [third, second, first] = await log()
  const error = 'the receiver responded with status 500'
  expect(first).toMatchObject({ status: 500, error, responseBody: 'answer 1' })
  expect(second).toMatchObject({ status: 500, error, responseBody: 'answer 2' })
  expect(third).toMatchObject({ status: 200, error: null, responseBody: 'answer 3' })
  expect(await webhooks.deliveries.get({ id })).toMatchObject({ state: 'delivered', attempts: 3 })

  await webhooks.deliveries.redeliver({ id })
  await expect.poll(async () => (await log()).length, { timeout: 60_000, interval: 200 }).toBe(4)
  const all = await log()
  expect(all[0]).toMatchObject({ status: 202, error: null, responseBody: 'answer 4' })
  expect(all.slice(1)).toEqual([third, second, first])
  for (const { startedAt, latencyMs } of all) {
    expect(Date.parse(startedAt)).not.toBeNaN()
    expect(latencyMs).toBeGreaterThanOrEqual(0)
  }
  // The same message with the same id.
  expect(new Set(received.map((one) => JSON.stringify(one)))).toHaveLength(1)
  expect(received[0]?.id).toBe(id)
  const actions = (await auditOf(api.db, webhookId)).map(({ action, details }) => ({ action, details }))
  expect(actions).toContainEqual({ action: 'webhook.redeliver', details: expect.objectContaining({ deliveryId: id }) })
})
