import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { incidents } from '#db/schema/alerts.ts'
import { testApi } from '#test/support/api/api.ts'
import { facadeCli, runCli } from '#test/support/cli.ts'
import type { Key, Member, ServiceTree } from '#test/support/factories.ts'
import { testFolder } from '#test/support/folder.ts'
import { createIncident } from '#test/support/runs/incidents.ts'

// Incidents by the command line, against the real API.

const api = testApi()
const folder = testFolder()
let tree: ServiceTree
let key: Key
let grace: Member
let incident: typeof incidents.$inferSelect

beforeAll(async () => {
  tree = await api.create.serviceTree()
  key = await api.create.key(tree.organization.owner, { access: 'write' })
  const grants = [{ serviceId: tree.service.id, level: 1 as const }]
  grace = await api.create.member(tree.organization, { displayName: 'Grace Hopper', grants })
})
beforeEach(async () => {
  incident = await createIncident(api.db, tree.service, { closedAt: new Date() })
})

const run = (...args: string[]) => runCli(['incidents', ...args], facadeCli(api.facade, key))
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).output)

test('one is acknowledged and the acknowledgement taken back, by the short names too', async () => {
  expect(await run('ack', incident.id)).toMatchObject({ code: 0, output: expect.stringMatching(/^Acknowledged: /) })
  expect(await json('list', '--acknowledged')).toMatchObject([{ id: incident.id }])
  expect(await run('unack', incident.id)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Not acknowledged: /),
  })
  expect(await json('list', '--acknowledged')).toEqual([])
  const open = await json('list', '--no-acknowledged')
  expect(open).toContainEqual(expect.objectContaining({ id: incident.id, acknowledgedAt: null }))
})

test('several are acknowledged in one request, and what is not found makes the exit code 2', async () => {
  const other = await createIncident(api.db, tree.service, { closedAt: new Date() })
  const ended = await run('acknowledge', incident.id, other.id)
  expect(ended).toMatchObject({ code: 0, output: `${incident.id}  acknowledged\n${other.id}  acknowledged\n` })
  const mixed = await run('acknowledge', incident.id, tree.service.id)
  expect(mixed.code).toBe(2)
  expect(mixed.output).toBe(
    `${incident.id}  was acknowledged before\n${tree.service.id}  not found, or not yours to change\n`,
  )
})

test('one is assigned by name, address, id and me', async () => {
  expect(await run('assign', incident.id, 'grace hopper')).toMatchObject({
    code: 0,
    output: 'Assigned to Grace Hopper.\n',
  })
  expect(await json('list', '--assignee', grace.membershipId)).toMatchObject([{ id: incident.id }])
  expect((await run('list')).output).toMatch(/ASSIGNEE[\s\S]*Grace Hopper/)
  expect(await json('assign', incident.id, 'me')).toMatchObject({
    assignee: { orgUserId: tree.organization.owner.membershipId },
  })
  expect(await json('assign', incident.id, grace.email)).toMatchObject({ assignee: { name: 'Grace Hopper' } })
  expect(await run('assign', incident.id, 'none')).toMatchObject({ code: 0, output: 'Assigned to no one.\n' })
  expect(await run('assign', incident.id, 'Nobody')).toMatchObject({
    code: 2,
    notes: 'soundline: There is no member "Nobody" to whom you can assign the incident\n',
  })
  await api.create.member(tree.organization, {
    displayName: 'Grace Hopper',
    grants: [{ serviceId: tree.service.id, level: 1 }],
  })
  const several = await run('assign', incident.id, 'Grace Hopper')
  expect(several.code).toBe(2)
  expect(several.notes).toContain(grace.membershipId)
})

test('one gets a severity', async () => {
  expect(await run('severity', incident.id, 'critical')).toMatchObject({ code: 0, output: 'Severity: critical.\n' })
  expect(await json('list', '--severity', 'critical')).toMatchObject([{ id: incident.id }])
  expect(await run('severity', incident.id, 'none')).toMatchObject({ code: 0, output: 'Severity: none.\n' })
  expect((await run('severity', incident.id, 'urgent')).code).toBe(2)
})

test('one gets a post-mortem from a file or standard input, which is shown and removed', async () => {
  const file = join(folder, 'post-mortem.md')
  await writeFile(file, '## Cause\n\nThe disk\u001b[2J was full.\n')
  expect((await run('post-mortem', incident.id)).output).toBe('The incident has no post-mortem.\n')
  expect(await run('post-mortem', incident.id, file)).toMatchObject({ code: 0, output: 'Post-mortem saved.\n' })
  expect((await run('post-mortem', incident.id)).output).toBe('## Cause\n\nThe disk\uFFFD[2J was full.\n')
  const typed = { ...facadeCli(api.facade, key), readInput: async () => 'Short.' }
  expect((await runCli(['incidents', 'post-mortem', incident.id, '-'], typed)).code).toBe(0)
  expect(await json('post-mortem', incident.id)).toMatchObject({ text: 'Short.' })
  expect((await run('post-mortem', incident.id, '--remove')).output).toBe('Post-mortem removed.\n')
  expect(await run('post-mortem', incident.id, join(folder, 'none.md'))).toMatchObject({
    code: 2,
    notes: expect.stringContaining('cannot be read'),
  })
})

test('the list is searched, ordered, and read in pages, and says what follows a page', async () => {
  const project = await api.create.project(tree.workspace)
  const service = await api.create.service(project, { name: 'Payments', label: 'smoke' })
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const closed = (minutes: number, length: number) =>
    createIncident(api.db, service, { openedAt: minutesAgo(minutes), closedAt: minutesAgo(minutes - length) })
  const [newest, longest, oldest] = [await closed(100, 1), await closed(200, 50), await closed(300, 2)]
  const within = ['--project', project.id]
  const first = await run('list', ...within, '--limit', '2')
  expect(first).toMatchObject({ code: 0, notes: '1 more: --page 2\n' })
  const next = await run('list', ...within, '--limit', '2', '--page', '2', '--json')
  expect(JSON.parse(next.output)).toMatchObject([{ id: oldest.id }])
  expect(next.notes).toBe('')
  const of = async (...args: string[]) => (await json('list', ...args)).map(({ id }: { id: string }) => id)
  expect(await of('--search', 'payments', '--sort', 'longest')).toEqual([longest.id, oldest.id, newest.id])
  expect(await of('--label', 'smoke', '--agent', 'local', '--until', minutesAgo(250).toISOString())).toEqual([
    oldest.id,
  ])
  expect(await of('--label', 'smoke', '--since', minutesAgo(160).toISOString())).toEqual([newest.id, longest.id])
  expect((await run('list', '--page', '0')).code).toBe(2)
  const results = await runCli(['results', 'Payments', ...within], facadeCli(api.facade, key))
  expect(results).toMatchObject({ code: 0, notes: '' })
})
