import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { rateLimits } from '#db/schema/credentials.ts'
import { groups, invitations, memberships, users } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { grants } from '#db/schema/scoped.ts'
import { PASSWORD, testDashboard, type Visitor } from '#test/support/browser/dashboard.ts'
import { type Organization, unique } from '#test/support/factories.ts'
import { auditOf } from '#test/support/side-effects.ts'

// Invitations with places. The installation sends mail, so that the inviter can be told what could not be given.

const t = testDashboard({ SMTP_URL: 'smtp://mail.example.com', BASE_URL: 'http://watch.example.com' })
let acme: Organization
let owner: Visitor
beforeAll(async () => {
  acme = await t.create.organization({ name: 'Acme' })
  owner = await t.signIn(acme.owner)
})
afterEach(async () => {
  await t.db.delete(rateLimits)
  await t.db.execute(sql`delete from graphile_worker._private_jobs`)
})

type Mail = { to: string; subject: string; text: string }

async function mailsTo(to: string): Promise<Mail[]> {
  const jobs = await t.db.execute<{ payload: Mail }>(sql`
    select payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks k on k.id = j.task_id where k.identifier = 'mail' order by j.id`)
  return jobs.map((job) => job.payload).filter((mail) => mail.to === to)
}

async function newPlaces() {
  const workspace = await t.create.workspace(acme)
  const project = await t.create.project(workspace)
  return { workspace, project, service: await t.create.service(project) }
}

/** Accepts the mailed invitation of an address, and returns the session with the id of the new member. */
async function accept(email: string) {
  const [, token] = /invitation#(\S+)/.exec((await mailsTo(email)).at(-1)?.text ?? '') ?? []
  const guest = t.visitor()
  const answer = await guest.post('auth.acceptInvitation', { token, displayName: 'Gus', password: PASSWORD })
  expect(answer.data).toEqual({ ok: true })
  const [user] = await t.db.select().from(users).where(eq(users.email, email))
  return { guest, userId: String(user?.id) }
}

const invite = (input: object, by = owner) => by.post('organization.members.invite', input)

describe('organization.members.invite with places', () => {
  test('grants them on acceptance, in one step with the groups', async () => {
    const { workspace, project, service } = await newPlaces()
    const crew = await t.create.group(acme)
    const email = `${unique('guest')}@example.com`
    const places = [
      { resourceType: 'service', resourceId: service.id, permissions: 1 },
      { resourceType: 'project', resourceId: project.id, permissions: 2, notify: false },
    ]
    expect((await invite({ email, groupIds: [crew.id], places })).status).toBe(200)
    const { data } = await owner.get<{ items: { email: string }[] }>('organization.invitations.list')
    expect(data.items.find((item) => item.email === email)).toMatchObject({
      lostGroups: 0,
      places: [
        {
          resourceType: 'service',
          resourceId: service.id,
          name: service.name,
          permissions: 1,
          notify: true,
          isGone: false,
        },
        { resourceType: 'project', resourceId: project.id, name: project.name, permissions: 2, notify: false },
      ],
    })

    const { guest, userId } = await accept(email)
    expect((await guest.get('services.get', { id: service.id })).status).toBe(200)
    expect((await guest.get('auth.me')).data).toMatchObject({ mayCreateServices: true, mayGrant: true })
    expect((await guest.get('status.summary', { workspaceId: workspace.id })).status).toBe(200)
    const held = t.db
      .select({ level: grants.level, notify: grants.notify, serviceId: grants.serviceId, projectId: grants.projectId })
      .from(grants)
      .innerJoin(memberships, eq(memberships.id, grants.membershipId))
      .where(eq(memberships.userId, userId))
      .orderBy(grants.level)
    expect(await held).toEqual([
      { level: 1, notify: true, serviceId: service.id, projectId: null },
      { level: 2, notify: false, serviceId: null, projectId: project.id },
    ])
    const entries = await auditOf(t.db, userId)
    expect(entries.find(({ action }) => action === 'member.join')?.details).toEqual({
      access: [`${service.name} (read)`, `${project.name} (write)`],
    })
    expect(await mailsTo(acme.owner.email)).toEqual([])
  })

  test('gives the rest when a place and a group were deleted, and tells the inviter', async () => {
    const { project, service } = await newPlaces()
    const crew = await t.create.group(acme)
    const email = `${unique('guest')}@example.com`
    const places = [
      { resourceType: 'service', resourceId: service.id, permissions: 1 },
      { resourceType: 'project', resourceId: project.id, permissions: 1 },
    ]
    await invite({ email, groupIds: [crew.id], places })
    await t.db.delete(services).where(eq(services.id, service.id))
    await t.db.delete(groups).where(eq(groups.id, crew.id))
    const { data } = await owner.get<{ items: { email: string }[] }>('organization.invitations.list')
    expect(data.items.find((item) => item.email === email)).toMatchObject({
      lostGroups: 1,
      places: [
        { resourceType: 'service', resourceId: null, name: null, isGone: true },
        { resourceId: project.id, isGone: false },
      ],
    })

    const { guest, userId } = await accept(email)
    expect((await guest.get('projects.get', { id: project.id })).status).toBe(200)
    const [mail] = await mailsTo(acme.owner.email)
    expect(mail?.subject).toBe('Not all of your invitation to Acme could be given')
    expect(mail?.text).toContain(`- ${service.name}\n- a group\n`)
    expect(mail?.text).toContain(`http://watch.example.com/members/${userId}`)
    const entries = await auditOf(t.db, userId)
    expect(entries.find(({ action }) => action === 'member.join')?.details).toMatchObject({
      notGiven: [service.name, 'a group'],
    })
  })

  test('does not give what the inviter may not give any more', async () => {
    const { service } = await newPlaces()
    const maker = await t.create.member(acme, {
      sections: { users: 'write' },
      grants: [{ serviceId: service.id, level: 2 }],
    })
    const email = `${unique('guest')}@example.com`
    const places = [{ resourceType: 'service', resourceId: service.id, permissions: 1 }]
    expect((await invite({ email, places }, await t.signIn(maker))).status).toBe(200)
    await t.db.delete(grants).where(eq(grants.membershipId, maker.membershipId))
    const { guest } = await accept(email)
    expect((await guest.get('services.get', { id: service.id })).status).toBe(404)
    expect(await mailsTo(maker.email)).toHaveLength(1)
  })

  test('is refused without write on a place, and for a place that is named twice', async () => {
    const { project } = await newPlaces()
    const maker = await t.create.member(acme, {
      sections: { users: 'write' },
      grants: [{ projectId: project.id, level: 1 }],
    })
    const places = [{ resourceType: 'project', resourceId: project.id, permissions: 1 }]
    const email = `${unique('guest')}@example.com`
    expect(await invite({ email, places }, await t.signIn(maker))).toMatchObject({
      ...{ status: 404, code: 'not_found', details: { field: 'places' } },
    })
    expect(await invite({ email, places: [...places, ...places] })).toMatchObject({
      ...{ status: 400, code: 'field_invalid', details: { field: 'places' } },
    })
    expect(await t.db.select().from(invitations).where(eq(invitations.email, email))).toEqual([])
  })
})
