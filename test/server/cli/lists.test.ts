import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { schedules } from '#db/schema/runs.ts'
import { syncSchedule } from '#server/schedule/schedules.ts'
import { testApi } from '#test/support/api/api.ts'
import { facadeCli, runCli } from '#test/support/cli.ts'
import type { Key, ServiceTree } from '#test/support/factories.ts'
import { setState } from '#test/support/runs/results.ts'

const api = testApi()
let tree: ServiceTree
let key: Key

beforeAll(async () => {
  tree = await api.create.serviceTree()
  key = await api.create.key(tree.organization.owner, { access: 'write' })
})

const run = (...args: string[]) => runCli(args, facadeCli(api.facade, key))
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).output)

describe('services', () => {
  test('prints a table, and JSON', async () => {
    const { service, project } = tree
    const ended = await run('services')
    expect(ended).toMatchObject({ code: 0, notes: '' })
    expect(ended.output).toMatch(/^ID +PROJECT +NAME +LABELS +STATE +SINCE +SCHEDULE\n/)
    expect(ended.output).toContain(`${service.id}  ${project.name}  ${service.name}`)
    expect(await json('services')).toMatchObject([{ id: service.id, name: service.name }])
  })

  test('are narrowed to a project and a label', async () => {
    const other = await api.create.project(tree.workspace)
    await api.create.service(other, { name: 'Search', label: 'smoke' })
    expect(await json('services', '--project', other.name)).toMatchObject([{ name: 'Search' }])
    expect(await json('services', '--label', 'smoke')).toMatchObject([{ name: 'Search' }])
    expect(await json('services', '--project', tree.project.id)).toMatchObject([{ name: tree.service.name }])
    expect(await json('services', '--state', 'failed')).toEqual([])
  })

  test('show and select what is unknown, which is not among what passes', async () => {
    const project = await api.create.project(tree.workspace)
    const late = await api.create.service(project, { name: 'Late', script: '', isActive: true, schedule: '* * * * *' })
    await setState(api.db, late, { lastStatus: 'success', lastStatusSince: new Date(0), lastRunAt: new Date(0) })
    await syncSchedule(api.db, late, new Date(0))
    await api.db
      .update(schedules)
      .set({ expectedFrom: new Date(0) })
      .where(eq(schedules.serviceId, late.id))
    const of = (state: string) => json('services', '--project', project.id, '--state', state)
    expect(await of('unknown')).toMatchObject([
      { name: 'Late', state: 'unknown', stateSince: '1970-01-01T00:01:00.000Z' },
    ])
    for (const state of ['passing', 'success', 'failing', 'new']) expect(await of(state), state).toEqual([])
    const { output } = await run('services', '--project', project.id)
    expect(output).toMatch(/Late +unknown +1970-01-01T00:01:00.000Z/)
  })

  test('a name of two is refused with the candidates', async () => {
    const workspace = await api.create.workspace(tree.organization)
    const twins = [
      await api.create.project(tree.workspace, { name: 'Twin' }),
      await api.create.project(workspace, { name: 'Twin' }),
    ]
    const ended = await run('services', '--project', 'Twin')
    expect(ended).toMatchObject({ code: 2, output: '' })
    for (const { id } of twins) expect(ended.notes).toContain(id)
    expect(ended.notes).toContain(`${workspace.name} / Twin`)
    expect((await run('services', '--project', 'Twin', '--workspace', workspace.name)).code).toBe(0)
    expect(await run('services', '--project', 'None')).toMatchObject({
      code: 2,
      notes: 'soundline: There is no project "None" that this key can see\n',
    })
  })

  test('names cannot control the terminal', async () => {
    const hostile = await api.create.service(tree.project, { name: 'a\u001b[2Jb' })
    expect((await run('services', '--project', tree.project.name)).output).toContain('a\uFFFD[2Jb')
    expect(await json('services', '--project', tree.project.name)).toContainEqual(
      expect.objectContaining({ id: hostile.id }),
    )
  })
})

describe('results', () => {
  test('of a service without any are an empty table', async () => {
    const ended = await run('results', tree.service.name)
    expect(ended).toMatchObject({ code: 0, output: 'ID  STARTED  AGENT  STATUS  TIME  SUMMARY\n' })
    expect(await json('results', tree.service.id)).toEqual([])
  })

  test('an unknown one is not found', async () => {
    const ended = await run('results', tree.service.id, tree.project.id)
    expect(ended).toMatchObject({ code: 2, notes: expect.stringContaining('not_found') })
  })
})

describe('silence', () => {
  test('is created, listed and removed', async () => {
    const created = await json('silence', 'create', '--service', tree.service.name, '--for', '2h')
    expect(created).toMatchObject({ serviceId: tree.service.id, channel: 'all' })
    expect(Date.parse(JSON.parse(created.config).until)).toBeGreaterThan(Date.now())
    expect((await run('silence', 'list')).output).toContain(created.id)
    expect(await run('silence', 'remove', created.id)).toMatchObject({ code: 0, output: 'Silence removed.\n' })
    expect(await json('silence', 'list')).toEqual([])
  })
})

test('incidents are listed, also when there are none', async () => {
  expect(await json('incidents', '--state', 'open', '--project', tree.project.name)).toEqual([])
  expect((await run('incidents')).output).toMatch(/^ID +STATE +OPENED +SERVICE/)
})
