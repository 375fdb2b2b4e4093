import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { scriptVersions } from '#db/schema/scripts.ts'
import type { Service } from '#server/schemas/services.ts'
import { scriptDiff } from '#server/services/script-versions.ts'
import { failureOf, testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { unique } from '#test/support/factories.ts'
import { probeOf } from '#test/support/runs/scripts.ts'
import { auditOf } from '#test/support/side-effects.ts'

const api = testApi()
const tree = testTree(api)
let owner: Awaited<ReturnType<typeof api.caller>>
beforeAll(async () => {
  owner = await api.caller(tree.organization.owner)
})

const script = (name: string) => probeOf(`https://status.example.com/${name}`)

/** Creates a service, and saves a script for each name: the first one becomes version 2. */
async function saved(...names: string[]): Promise<Service> {
  const created = await owner.services.create({ projectId: tree.project.id, name: unique('Versions') })
  let service: Service = created
  for (const name of names) {
    service = await owner.services.saveScript({ id: service.id, script: script(name), version: service.version })
  }
  return service
}

describe('services.versions.list', () => {
  test('lists every save, newest first, with its author and key', async () => {
    const service = await saved('a')
    const body = { script: script('by-key'), version: 2 }
    expect((await api.call(tree.owner, 'PATCH', `/services/${service.id}/script`, { body })).status).toBe(200)
    const { items, total } = await owner.services.versions.list({ id: service.id })
    const name = expect.any(String)
    const author = { id: tree.organization.owner.userId, name }
    expect(total).toBe(2)
    expect(items).toMatchObject([
      { version: 3, author, keyName: tree.owner.name, characters: body.script.length, restoredFrom: null },
      { version: 2, author, keyName: null },
    ])
  })

  test('a refused save stores no version', async () => {
    const service = await saved('a')
    await failureOf(owner.services.saveScript({ id: service.id, script: 'no script', version: 2 }))
    await failureOf(owner.services.saveScript({ id: service.id, script: script('b'), version: 7 }))
    expect((await owner.services.versions.list({ id: service.id })).total).toBe(1)
  })

  /** Stores so many versions of a service, as if each had been saved; the first one is version 3. */
  async function saveMany(service: Service, count: number, text: string): Promise<number> {
    const own = { organizationId: tree.organization.id, serviceId: service.id, script: text }
    const version = count + 2
    await api.db
      .insert(scriptVersions)
      .values(Array.from({ length: count }, (_, index) => ({ ...own, version: index + 3 })))
    await api.db.update(services).set({ version }).where(eq(services.id, service.id))
    return version
  }

  test('saving keeps the last 500 versions', async () => {
    const service = await saved('a')
    const version = await saveMany(service, 600, script('b'))
    await owner.services.saveScript({ id: service.id, script: script('c'), version })
    const page = await owner.services.versions.list({ id: service.id, page: 5, pageSize: 100 })
    expect(page.total).toBe(500)
    expect(page.items.at(-1)?.version).toBe(version + 1 - 499)
  })

  test('saving keeps eight million bytes of text at most', async () => {
    const service = await saved('a')
    const version = await saveMany(service, 150, '// '.padEnd(65_000, 'x'))
    await owner.services.saveScript({ id: service.id, script: script('b'), version })
    expect((await owner.services.versions.list({ id: service.id })).total).toBe(1 + Math.floor(8_000_000 / 65_000))
  })
})

describe('services.versions.get', () => {
  test('returns the text and that of the version before', async () => {
    const service = await saved('a', 'b')
    expect(await owner.services.versions.get({ id: service.id, version: 3 })).toMatchObject({
      version: 3,
      script: script('b'),
      previous: { version: 2, script: script('a') },
    })
    expect(await owner.services.versions.get({ id: service.id, version: 2 })).toMatchObject({ previous: null })
  })

  test('not_found for a version that is not stored, and for a service out of reach', async () => {
    const service = await saved('a')
    const stranger = await api.caller(await api.create.member(tree.organization))
    for (const call of [
      () => owner.services.versions.get({ id: service.id, version: 9 }),
      () => stranger.services.versions.get({ id: service.id, version: 2 }),
      () => stranger.services.versions.list({ id: service.id }),
    ]) {
      expect((await failureOf(call())).code).toBe('not_found')
    }
  })
})

describe('services.versions.restore', () => {
  test('saves the old text as a new version, audited with the diff', async () => {
    const service = await saved('a', 'b')
    const restored = await owner.services.versions.restore({ id: service.id, restore: 2, version: 3 })
    expect(restored).toMatchObject({ version: 4, script: script('a') })
    const { items } = await owner.services.versions.list({ id: service.id })
    expect(items[0]).toMatchObject({ version: 4, restoredFrom: 2 })
    expect((await auditOf(api.db, service.id)).at(-1)).toMatchObject({
      action: 'service.script',
      details: { version: 4, restoredFrom: 2, diff: expect.stringContaining('status.example.com/a') },
    })
  })

  test('version_conflict when another version was saved meanwhile; not_found for readers', async () => {
    const service = await saved('a', 'b')
    const input = { id: service.id, restore: 2, version: 2 }
    expect(await failureOf(owner.services.versions.restore(input))).toMatchObject({
      code: 'version_conflict',
      details: { version: 3 },
    })
    const reader = await api.caller(await api.create.member(tree.organization, { sections: { workspaces: 'read' } }))
    expect((await failureOf(reader.services.versions.restore({ ...input, version: 3 }))).code).toBe('not_found')
    expect((await owner.services.versions.list({ id: service.id })).total).toBe(2)
  })
})

describe('the audit entry of a save', () => {
  test('has a unified diff that only members see who may read the service', async () => {
    const service = await saved('a', 'b')
    const entries = { entityId: service.id, action: 'service.script' }
    const diff = [
      '--- version 2',
      '+++ version 3',
      '@@ -1,1 +1,1 @@',
      `-${script('a').trim()}`,
      `+${script('b').trim()}`,
      '',
    ].join('\n')
    const seen = await owner.organization.audit.list(entries)
    expect(seen.items[0]).toMatchObject({ details: { version: 3, diff } })
    const auditor = await api.create.member(tree.organization, { sections: { settings: 'read' } })
    const hidden = await (await api.caller(auditor)).organization.audit.list(entries)
    expect(hidden.items[0]?.details).toEqual({ version: 3, characters: script('b').length })
  })

  test('a diff is cut, and left out when it takes too long', () => {
    const lines = (word: string) => Array.from({ length: 5_000 }, (_, index) => `${word} ${index}`).join('\n')
    const before = { version: 2, script: '' }
    expect(scriptDiff(before, { version: 3, script: lines('a') }, 60_000)?.length).toBe(16_384 + 2)
    const many = (seed: number) => Array.from({ length: 30_000 }, (_, i) => (i * seed) % 7).join('\n')
    expect(scriptDiff({ version: 2, script: many(3) }, { version: 3, script: many(5) }, 1)).toBeNull()
  })
})
