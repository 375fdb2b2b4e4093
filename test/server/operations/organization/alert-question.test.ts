import { describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { follows } from '#db/schema/alerts.ts'
import { serviceStates } from '#db/schema/results.ts'
import { FOLLOWS_MAX } from '#server/schemas/alerts/follows.ts'
import { failureOf, testApi } from '#test/support/api/api.ts'
import { auditOf } from '#test/support/side-effects.ts'
import { statementsOf } from '#test/support/statements.ts'

const api = testApi({ settings: { SMTP_URL: 'smtp://127.0.0.1:1' } })
const mailless = testApi()

const URL_ = 'https://hooks.example.com/x'

async function createTree(on = api) {
  const tree = await on.create.serviceTree()
  const { id: serviceId, organizationId } = tree.service
  const ran = (values: Partial<typeof serviceStates.$inferInsert>) =>
    on.db
      .insert(serviceStates)
      .values({ serviceId, organizationId, ...values })
      .onConflictDoUpdate({ target: [serviceStates.organizationId, serviceStates.serviceId], set: values })
  const owner = await on.caller(tree.organization.owner)
  const isAsked = async () => (await owner.organization.alertQuestion.get()).isAsked
  return { ...tree, owner, ran, isAsked }
}

describe('where alerts should go', () => {
  test('is asked after the first run that passed, also when a later one fails, until it is put off', async () => {
    const { owner, ran, isAsked, organization } = await createTree()
    expect(await isAsked()).toBe(false)
    await ran({ lastStatus: 'failure', probesTotal: 1, probesFailure: 1 })
    expect(await isAsked()).toBe(false)
    await ran({ lastStatus: 'success', probesTotal: 2, probesSuccess: 1 })
    expect(await isAsked()).toBe(true)
    await ran({ lastStatus: 'failure', probesTotal: 3 })
    expect(await isAsked()).toBe(true)
    const other = await createTree()
    await other.ran({ lastStatus: 'success', probesSuccess: 1 })
    await owner.organization.alertQuestion.answer({ to: 'later' })
    expect([await isAsked(), await other.isAsked()]).toEqual([false, true])
    expect(await auditOf(api.db, organization.id)).toMatchObject([
      { action: 'organization.answer_alerts', details: { to: 'later' } },
    ])
  })

  test('is answered by a webhook that is created with a binding, and not by one without', async () => {
    const { owner, ran, isAsked, organization } = await createTree()
    await ran({ lastStatus: 'success', probesSuccess: 1 })
    await owner.organization.webhooks.create({ name: 'Unbound', url: URL_ })
    expect(await isAsked()).toBe(true)
    const bindings = [{ resourceType: 'organization' as const, resourceId: organization.id }]
    await owner.organization.webhooks.create({ name: 'Bound', url: URL_, bindings })
    expect(await isAsked()).toBe(false)
  })

  test('mail follows every workspace that the member is not notified of yet', async () => {
    const { owner, ran, isAsked, organization, workspace } = await createTree()
    const heard = await api.create.workspace(organization)
    const { membershipId } = organization.owner
    await api.create.grant(organization, { membershipId }, { workspaceId: heard.id, level: 2 })
    await ran({ lastStatus: 'success', probesSuccess: 1 })
    await owner.organization.alertQuestion.answer({ to: 'mail' })
    expect(await isAsked()).toBe(false)
    const followed = await api.db.select().from(follows).where(eq(follows.membershipId, membershipId))
    expect(followed.map(({ workspaceId }) => workspaceId)).toEqual([workspace.id])
  })

  test('mail follows as many workspaces as a member can follow, in a few statements', async () => {
    const { owner, ran, isAsked, organization } = await createTree()
    await api.db.execute(sql`
      insert into workspaces (id, organization_id, name)
      select gen_random_uuid(), ${organization.id}, 'W' || i from generate_series(1, ${FOLLOWS_MAX + 5}::int) i`)
    await ran({ lastStatus: 'success', probesSuccess: 1 })
    const statements = await statementsOf(() => owner.organization.alertQuestion.answer({ to: 'mail' }))
    expect(statements.length).toBeLessThan(20)
    expect(await isAsked()).toBe(false)
    const own = eq(follows.membershipId, organization.owner.membershipId)
    expect(await api.db.$count(follows, own)).toBe(FOLLOWS_MAX)
    expect(await auditOf(api.db, organization.id)).toMatchObject([
      { action: 'organization.answer_alerts', details: { to: 'mail', followed: FOLLOWS_MAX } },
    ])
  })

  test('mail is refused where it is not configured, and the question stays', async () => {
    const { owner, ran, isAsked } = await createTree(mailless)
    await ran({ lastStatus: 'success', probesSuccess: 1 })
    expect(await failureOf(owner.organization.alertQuestion.answer({ to: 'mail' }))).toMatchObject({
      code: 'field_invalid',
      details: { field: 'to', reason: 'must not be mail: mail is not configured' },
    })
    expect(await isAsked()).toBe(true)
  })

  test('is asked of members who may create webhooks', async () => {
    const { organization } = await createTree()
    const member = await api.create.member(organization, { sections: { webhooks: 'read', workspaces: 'write' } })
    const { alertQuestion } = (await api.caller(member)).organization
    for (const refused of [alertQuestion.get(), alertQuestion.answer({ to: 'later' })]) {
      expect(await failureOf(refused)).toMatchObject({ code: 'insufficient_permissions' })
    }
  })
})
