import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { alertEvents, alertMessages, follows } from '#db/schema/alerts.ts'
import { memberships } from '#db/schema/organizations.ts'
import { silences } from '#db/schema/scoped.ts'
import { webhookBindings, webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { previewAlerting } from '#server/alerts/alerts/preview.ts'
import { parseSettings } from '#server/process/settings.ts'
import { createVault } from '#server/vault.ts'
import { loadActor } from '#test/support/api/api.ts'
import { testDatabase } from '#test/support/database.ts'
import type { Member, MemberOptions, ServiceTree } from '#test/support/factories.ts'
import { notify } from '#worker/tasks/notify.ts'

// The preview names exactly those whom the job that sends an event tells, and for the same reasons.

const database = testDatabase()
const settings = parseSettings({})
const mailing = {
  settings: parseSettings({ SMTP_URL: 'smtp://127.0.0.1:1' }),
  vault: createVault([{ id: 'test', secret: 's'.repeat(32) }]),
}
const NOW = new Date('2026-06-03T12:00:00Z')

type Told = { name: string; through: unknown; silenced: unknown }
const byName = (a: Told, b: Told) => a.name.localeCompare(b.name)

/** Returns whom the preview names and whom an event is sent to. */
async function compare({ organization, ids, workspace, project, service }: ServiceTree) {
  const { db } = database
  const viewer = await database.create.member(organization, {
    sections: { workspaces: 'read', webhooks: 'read', users: 'read' },
  })
  const actor = await loadActor(db, viewer, null)
  const of = { organizationId: organization.id, id: ids.service }
  const preview = await previewAlerting({ db, actor, settings, now: () => NOW }, of)
  const eventId = uuidv7()
  const payload = { organization, workspace, project, service, result: { id: uuidv7(), status: 'failure' } }
  await db.insert(alertEvents).values({
    ...{ id: eventId, organizationId: organization.id, serviceId: ids.service, resultId: uuidv7() },
    ...{ kind: 'service.failed', payload, createdAt: NOW },
  })
  await notify(db, mailing, { organizationId: organization.id, eventId })
  const messages = await db.select().from(alertMessages).where(eq(alertMessages.eventId, eventId))
  const deliveries = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.eventId, eventId))
  const told = [
    ...messages.map(({ membershipId, webhookId, heardThrough, state }) => ({
      name: membershipId ?? webhookId ?? '',
      through: heardThrough,
      silenced: state === 'suppressed' || state === 'held',
    })),
    ...deliveries.map(({ webhookId }) => ({ name: webhookId, through: expect.any(Array), silenced: false })),
  ]
  const named = [
    ...preview.recipients.map(({ orgUserId, heardThrough, isSilenced }) => ({
      ...{ name: orgUserId ?? '', through: heardThrough, silenced: isSilenced },
    })),
    ...(preview.webhooks ?? []).map(({ webhookId, heardThrough, enabled }) => ({
      ...{ name: webhookId, through: heardThrough, silenced: !enabled },
    })),
  ]
  return { preview, named: named.sort(byName), told: told.sort(byName) }
}

async function bind(
  { organization }: ServiceTree,
  scope: Partial<typeof webhookBindings.$inferInsert>,
  enabled = true,
) {
  const row = { id: uuidv7(), organizationId: organization.id }
  await database.db.insert(webhooks).values({ ...row, name: row.id, sealed: Buffer.alloc(64) })
  const own = { id: uuidv7(), organizationId: row.organizationId, webhookId: row.id, enabled }
  await database.db.insert(webhookBindings).values({ ...own, ...scope })
}

async function silence({ organizationId, membershipId }: Member, given: Partial<typeof silences.$inferInsert> = {}) {
  await database.db
    .insert(silences)
    .values({ id: uuidv7(), organizationId, membershipId, channel: 'all', createdAt: NOW, ...given })
}

describe('the preview', () => {
  test('names whom an event is sent to: by grant, group, follow and binding, silenced or not', async () => {
    const { create, db } = database
    const tree = await create.serviceTree()
    const { organization, ids } = tree
    const group = await create.group(organization, { grants: [{ workspaceId: ids.workspace, level: 1 }] })
    const made = (given: MemberOptions) => create.member(organization, given)
    const granted = { grants: [{ serviceId: ids.service, level: 1 as const }] }
    await made(granted)
    await made({ ...granted, groups: [group] })
    await made({ ...granted, isActive: false })
    await made({ sections: { workspaces: 'write' } })
    const follower = await made({ sections: { workspaces: 'read' } })
    const lost = await made({})
    for (const { membershipId } of [follower, lost]) {
      const follow = { organizationId: organization.id, membershipId, projectId: ids.project }
      await db.insert(follows).values({ id: uuidv7(), ...follow })
    }
    await silence(follower, { projectId: ids.project, config: '{"until":"2026-06-03T13:00:00Z"}' })
    await silence(await made(granted), { channel: 'quiet-hours', quietHours: 'FREQ=DAILY;BYHOUR=11/120' })
    await silence(await made(granted), { channel: 'quiet-hours', quietHours: 'FREQ=DAILY;BYHOUR=13/120' })
    await silence(await made(granted), { config: '{"events":["service.recovered"]}' })
    await silence(await made(granted), { config: '{"until":"2026-06-03T12:00:00Z"}' })
    await bind(tree, { serviceId: ids.service })
    await bind(tree, { workspaceId: ids.workspace }, false)
    const { preview, named, told } = await compare(tree)
    expect(named).toEqual(told)
    expect(preview).toMatchObject({ hasListener: true, recipientsTotal: 7, webhooksTotal: 2 })
    expect(preview.recipients.filter(({ isSilenced }) => isSilenced)).toHaveLength(2)
  })

  const owner = async ({ organization }: ServiceTree) => organization.owner.membershipId
  test.each([
    ['nobody has a grant, and no webhook is bound', async () => {}, owner],
    ['every binding is paused', (tree: ServiceTree) => bind(tree, { projectId: tree.ids.project }, false), owner],
    ['a webhook is bound', (tree: ServiceTree) => bind(tree, { projectId: tree.ids.project }), null],
    [
      'the only listener is inactive',
      async ({ organization, ids }: ServiceTree) => {
        const grants = [{ serviceId: ids.service, level: 2 as const }]
        await database.create.member(organization, { grants, isActive: false })
      },
      owner,
    ],
    [
      'the owner is inactive',
      async ({ organization: { owner } }: ServiceTree) => {
        await database.db.update(memberships).set({ isActive: false }).where(eq(memberships.id, owner.membershipId))
      },
      null,
    ],
  ])('agrees on whether the owner is told: %s', async (_, arrange, expected) => {
    const tree = await database.create.serviceTree()
    await arrange(tree)
    const { preview, named, told } = await compare(tree)
    expect(named).toEqual(told)
    const members = preview.recipients.map(({ orgUserId, heardThrough }) => [orgUserId, heardThrough[0]?.kind])
    expect(members).toEqual(expected ? [[await expected(tree), 'owner']] : [])
  })

  test('agrees that a silenced listener is still one: the owner is not told instead', async () => {
    const tree = await database.create.serviceTree()
    const grants = [{ serviceId: tree.ids.service, level: 2 as const }]
    const listener = await database.create.member(tree.organization, { grants })
    await silence(listener)
    const { preview, named, told } = await compare(tree)
    expect(named).toEqual(told)
    expect(preview).toMatchObject({ hasListener: true, recipients: [{ orgUserId: listener.membershipId }] })
  })
})
