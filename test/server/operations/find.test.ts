import { beforeAll, describe, expect, test } from 'vitest'
import { serviceStates } from '#db/schema/results.ts'
import { FOUND_SERVICES } from '#server/schemas/status/finds.ts'
import { testApi } from '#test/support/api/api.ts'
import { probeOf } from '#test/support/runs/scripts.ts'

const api = testApi()

// An organization with "Shop" (project "Checkout") and "Office", and a member who is granted one service only.

let owner: Awaited<ReturnType<typeof api.caller>>
let guest: Awaited<ReturnType<typeof api.caller>>

beforeAll(async () => {
  const { create } = api
  const organization = await create.organization()
  const shop = await create.workspace(organization, { name: 'Shop' })
  const checkout = await create.project(shop, { name: 'Checkout' })
  const office = await create.project(await create.workspace(organization, { name: 'Office' }), { name: 'Intranet' })
  const failing = await create.service(checkout, {
    name: 'Pay by card',
    label: 'Critical',
    script: probeOf('https://pay.example.com/'),
    isActive: true,
  })
  await api.db.insert(serviceStates).values({
    serviceId: failing.id,
    organizationId: organization.id,
    lastStatus: 'failure',
    lastRunAt: new Date(),
  })
  for (const name of ['Card', 'Cardboard', 'Postcards', 'My card']) await create.service(checkout, { name })
  await create.service(office, { name: 'Calendar 100%_a', label: 'critical' })
  for (const index of Array(20).keys()) await create.service(office, { name: `Printer ${index}` })
  owner = await api.caller(organization.owner)
  guest = await api.caller(await create.member(organization, { grants: [{ serviceId: failing.id, level: 1 }] }))
})

const names = (found: { name: string }[]) => found.map(({ name }) => name)

describe('status.find', () => {
  test('sorts by closeness: the whole name, its start, the start of a word, any other place', async () => {
    const { services } = await owner.status.find({ q: 'CARD' })
    expect(names(services)).toEqual(['Card', 'Cardboard', 'Pay by card', 'My card', 'Postcards'])
    expect(services[2]).toMatchObject({ state: 'failing', projectName: 'Checkout', workspaceName: 'Shop' })
  })

  test('without a search, shows the services that need attention first', async () => {
    const { services, projects, workspaces } = await owner.status.find({ q: '' })
    expect(services).toHaveLength(FOUND_SERVICES)
    expect(services[0]).toMatchObject({ name: 'Pay by card', state: 'failing' })
    expect([projects, workspaces]).toEqual([[], []])
  })

  test.each([
    ['label:critical state:failing', ['Pay by card']],
    ['label:critical', ['Pay by card', 'Calendar 100%_a']],
    ['workspace:office calendar', ['Calendar 100%_a']],
    ['0%_a', ['Calendar 100%_a']],
    ['100_', []],
    ['state:degraded', []],
  ])('%s finds %j', async (q, expected) => {
    expect(names((await owner.status.find({ q })).services)).toEqual(expected)
  })

  test('finds projects and workspaces by name, unless a term asks for services', async () => {
    expect(await owner.status.find({ q: 'check' })).toMatchObject({
      projects: [{ name: 'Checkout', workspaceName: 'Shop' }],
    })
    expect(names((await owner.status.find({ q: 'shop' })).workspaces)).toEqual(['Shop'])
    expect(await owner.status.find({ q: 'shop state:failing' })).toMatchObject({ projects: [], workspaces: [] })
  })

  test('names what it does not understand, and applies the rest', async () => {
    const { services, problems } = await owner.status.find({ q: 'color:red card' })
    expect(problems).toEqual([expect.stringContaining('“color:” is unknown')])
    expect(services).toHaveLength(5)
  })

  test('finds only what the member can see, and the containers above it', async () => {
    const found = await guest.status.find({ q: '' })
    expect(names(found.services)).toEqual(['Pay by card'])
    expect((await guest.status.find({ q: 'printer' })).services).toEqual([])
    expect((await guest.status.find({ q: 'office' })).workspaces).toEqual([])
    expect(names((await guest.status.find({ q: 'shop' })).workspaces)).toEqual(['Shop'])
    expect(names((await guest.status.find({ q: 'check' })).projects)).toEqual(['Checkout'])
  })
})
