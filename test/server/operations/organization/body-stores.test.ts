import { randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { bodyStores, forgottenBodyStores } from '#db/schema/body-stores.ts'
import { bodyKey, openStore, registerStore, storeUrl } from '#server/bodies/store.ts'
import type { BodyStore } from '#server/schemas/organization/body-stores.ts'
import { testDashboard, type Visitor } from '#test/support/browser/dashboard.ts'
import type { MemberOptions, Organization } from '#test/support/factories.ts'
import { testFolder } from '#test/support/folder.ts'
import { createResult, createStore, step } from '#test/support/runs/results.ts'
import { auditOf } from '#test/support/side-effects.ts'

const t = testDashboard()
const folder = testFolder()
let acme: Organization
let owner: Visitor
/** The store in the settings of the running front. */
let current: string
let former: string

beforeAll(async () => {
  former = await createStore(t.db, pathToFileURL(folder).href)
  await t.db
    .update(bodyStores)
    .set({ createdAt: new Date('2026-01-01T00:00:00Z'), lastUsedAt: new Date('2026-02-01T00:00:00Z') })
    .where(eq(bodyStores.id, former))
  current = (await registerStore(t.db, storeUrl(t.runtime.settings))).id
  acme = await t.create.organization()
  owner = await t.signIn(acme.owner)
})

const list = async (by: Visitor) => (await by.get<BodyStore[]>('organization.bodyStores.list')).data
const forget = (by: Visitor, id: string) => by.post<BodyStore>('organization.bodyStores.forget', { id })

async function member(options: MemberOptions): Promise<Visitor> {
  return t.signIn(await t.create.member(acme, options))
}

/** Stores a run with one body in the former store, and returns a function that reads the body. */
async function keepBody(organization: Organization, by: Visitor, startedAt: Date) {
  const service = await t.create.service(await t.create.project(await t.create.workspace(organization)))
  const bytes = Buffer.from('kept')
  const key = bodyKey(organization.id, service.id, startedAt, bytes)
  await openStore(pathToFileURL(folder).href).put(key, bytes)
  const body = { storeId: former, key, bytes: bytes.length, contentType: 'text/plain' }
  const one = step({ body, bodyNotStoredReason: null })
  const result = await createResult(t.db, service, { startedAt, steps: [one] })
  const place = { id: service.id, resultId: result.id }
  return async () => {
    const { data } = await by.get<{ steps: { bodyNotStoredReason: string | null }[] }>('results.get', place)
    const read = await by.get<{ content: string } | undefined>('results.body', { ...place, stepId: one.id })
    return [data.steps[0]?.bodyNotStoredReason, read.data?.content]
  }
}

describe('organization.bodyStores.list', () => {
  test('lists every store, newest first, and marks the current one', async () => {
    expect(await list(owner)).toEqual([
      {
        id: current,
        label: `Files ${current.slice(-6)}`,
        kind: 'files',
        isCurrent: true,
        firstUsedAt: expect.any(String),
        lastUsedAt: expect.any(String),
        forgottenAt: null,
      },
      {
        id: former,
        label: `Files ${former.slice(-6)}`,
        kind: 'files',
        isCurrent: false,
        firstUsedAt: '2026-01-01T00:00:00.000Z',
        lastUsedAt: '2026-02-01T00:00:00.000Z',
        forgottenAt: null,
      },
    ])
  })

  test('shows neither credentials nor locations, and no store of another organization', async () => {
    const bucket = await registerStore(t.db, 'https://KEY:very-hidden@minio.example/bodies')
    const theirs = await createStore(t.db, 's3://theirs')
    await t.db
      .update(bodyStores)
      .set({ organizationId: (await t.create.organization()).id })
      .where(eq(bodyStores.id, theirs))
    const shown = await list(owner)
    expect(shown.map((store) => store.id)).toEqual([bucket.id, current, former])
    expect(shown[0]).toMatchObject({ kind: 's3', label: `Bucket ${bucket.id.slice(-6)}` })
    expect(JSON.stringify(shown)).not.toMatch(/KEY|very-hidden|minio|file:|soundline-stores/)
    expect(await forget(owner, theirs)).toMatchObject({ status: 404, code: 'not_found' })
    await t.db.delete(bodyStores).where(eq(bodyStores.id, bucket.id))
  })
})

describe('organization.bodyStores.forget', () => {
  test("takes the bodies of runs until then from the organization's own results, and from no other's", async () => {
    const other = await t.create.organization()
    const theirOwner = await t.signIn(other.owner)
    const ours = await keepBody(acme, owner, t.clock.now)
    const theirs = await keepBody(other, theirOwner, t.clock.now)
    expect(await ours()).toEqual([null, 'kept'])

    const answer = await forget(owner, former)
    expect(answer.data).toMatchObject({ id: former, isCurrent: false, forgottenAt: t.clock.now.toISOString() })
    expect(await ours()).toEqual(['store_forgotten', undefined])
    expect(await theirs()).toEqual([null, 'kept'])
    expect((await list(owner)).find((store) => store.id === former)?.forgottenAt).toBe(t.clock.now.toISOString())
    expect((await list(theirOwner)).find((store) => store.id === former)?.forgottenAt).toBeNull()
    const entries = await auditOf(t.db, former)
    expect(entries).toMatchObject([
      { organizationId: acme.id, action: 'body_store.forget', entityName: `Files ${former.slice(-6)}`, details: {} },
    ])

    // The installation uses the store again: bodies stored since are readable.
    t.pass(1_000)
    expect(await (await keepBody(acme, owner, t.clock.now))()).toEqual([null, 'kept'])
    expect(await ours()).toEqual(['store_forgotten', undefined])
  })

  test('refuses the store that is written to', async () => {
    expect(await forget(owner, current)).toMatchObject({ status: 409, code: 'body_store_in_use' })
    expect(await t.db.$count(forgottenBodyStores, eq(forgottenBodyStores.storeId, current))).toBe(0)
    expect(await auditOf(t.db, current)).toEqual([])
  })

  test('refuses malformed and unknown ids', async () => {
    expect(await forget(owner, 'x')).toMatchObject({ status: 400, code: 'invalid_uuid', details: { field: 'id' } })
    expect(await forget(owner, randomUUID())).toMatchObject({ status: 404, code: 'not_found' })
  })
})

describe('who may', () => {
  test('see stores: settings read; forget one: settings write', async () => {
    const refused = { status: 403, code: 'insufficient_permissions' }
    const before = (await auditOf(t.db, former)).length
    const nobody = await member({ sections: { workspaces: 'write', orgAdmin: 'write' } })
    expect(await nobody.get('organization.bodyStores.list')).toMatchObject(refused)
    expect(await forget(nobody, former)).toMatchObject(refused)
    const reader = await member({ sections: { settings: 'read' } })
    expect(await list(reader)).toHaveLength(2)
    expect(await forget(reader, former)).toMatchObject(refused)
    expect(await t.visitor().get('organization.bodyStores.list')).toMatchObject({ code: 'session_required' })
    expect((await auditOf(t.db, former)).length).toBe(before)
    const writer = await member({ sections: { settings: 'write' } })
    expect((await forget(writer, former)).status).toBe(200)
  })
})
