import { v7 as uuidv7 } from 'uuid'
import { afterEach, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { webhookDeliveries } from '#db/schema/webhooks.ts'
import { parseSettings } from '#server/process/settings.ts'
import { enqueue } from '#server/schedule/jobs.ts'
import { createVault } from '#server/vault.ts'
import { testDatabase } from '#test/support/database.ts'
import { createIncident, createIncidentEvent } from '#test/support/runs/incidents.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS, until } from '#test/support/runs/worker-processes.ts'
import { type Receivers, startReceivers } from '#test/support/targets/webhook-receivers.ts'
import { bindWebhook } from '#test/support/webhooks.ts'

// A real worker, and receivers that answer nothing. Waiting for one of them would take its timeout: that the other
// receiver did not wait is seen by the order, because no attempt at a hanging one has ended yet.

const HANGING = 30
const database = testDatabase()
const workers = testWorkers(database.url)
const vault = createVault(parseSettings({ SECRET_KEYS: TEST_SECRET_KEYS }).SECRET_KEYS ?? [])
let receivers: Receivers

afterEach(async () => {
  await receivers.close()
  await workers.stopAll()
  await database.db.execute(sql`delete from graphile_worker._private_jobs`)
})

test.each([
  ['on one host', () => '127.0.0.2', 3],
  ['on hosts of their own', (receiver: number) => `127.0.1.${receiver + 1}`, HANGING],
])('thirty receivers that hang %s do not delay the other receiver of their organization', async (_, hostOf, held) => {
  receivers = await startReceivers((receiver) => (receiver < HANGING ? 'hanging' : 'sound'), '0.0.0.0')
  const { project } = await database.create.tree()
  const service = await database.create.service(project)
  const bind = (receiver: number, host: string) =>
    bindWebhook(database.db, vault, service, `http://${host}:${receivers.port}${receivers.pathOf(receiver)}`)
  for (let receiver = 0; receiver < HANGING; receiver++) await bind(receiver, hostOf(receiver))
  const good = await bind(HANGING, '127.0.0.1')
  const incident = await createIncident(database.db, service)
  const event = await createIncidentEvent(database.db, incident, { id: uuidv7() })
  await enqueue(database.db, 'notify', { organizationId: service.organizationId, eventId: event.id })
  await workers.start()

  await until('the message at the good receiver', async () => receivers.accepted() === 1)
  const deliveries = await database.db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.organizationId, service.organizationId))
  expect(deliveries).toHaveLength(HANGING + 1)
  expect(deliveries.filter(({ webhookId }) => webhookId !== good).every(({ attempts }) => attempts === 0)).toBe(true)
  await until('the hanging receivers', async () => receivers.holding() === held)
})
