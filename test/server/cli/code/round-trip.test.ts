import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { and, eq } from '#db/drizzle.cjs'
import { variables } from '#db/schema/scoped.ts'
import { testApi } from '#test/support/api/api.ts'
import { commandLine } from '#test/support/cli/in-process.ts'
import {
  caller,
  createEmptySide,
  createSourceSide,
  readConfiguration,
  type Side,
  VALUES,
} from '#test/support/cli/source-world.ts'
import { testFolder } from '#test/support/folder.ts'

// `export`, `apply` and `plan` of the command line, in process against the API and a database.

const api = testApi()
const root = testFolder()
const exported = join(root, 'source')

const AGENTS = ['oslo', 'berlin']
let source: Side

beforeAll(async () => {
  source = await createSourceSide(api, AGENTS)
  const { code, errors } = await commandLine(api, source.key, ['export', exported])
  expect([code, errors]).toEqual([0, ''])
}, 60_000)

const CHECKOUT = `# yaml-language-server: $schema=../../soundline.schema.json
kind: service
name: Checkout
labels:
  - prod
  - web
isActive: true
schedule: "*/10 * * * *"
timezone: Europe/Berlin
serviceWindow: FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=0/90/Europe/Berlin
script: checkout.lace
probeMode: simultaneous
queuePolicy: enqueue_once
saveResponseBodies: false
sendTraceparent: true
agents:
  - berlin
  - oslo
alerting:
  confirmFailures: 3
  confirmRecoveries: 1
  recheckSeconds: 10
  recheckWrites: false
  alertOnRecovery: true
  remindMinutes: 0
webhooks:
  - name: Ops chat
    enabled: true
variables:
  password:
    type: secret
    allowedHosts: []
`

/** The texts of a folder's files by path. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  return Object.fromEntries(paths.map((path, index) => [path.slice(folder.length + 1), texts[index] as string]))
}

describe('export', () => {
  test('writes a folder per project, and no values of secrets and variables', async () => {
    const files = await filesOf(exported)
    expect(Object.keys(files).sort()).toEqual([
      'organization.yaml',
      'shop-eu/web/checkout-2.yaml',
      'shop-eu/web/checkout.lace',
      'shop-eu/web/checkout.yaml',
      'shop-eu/web/größe-maße.lace',
      'shop-eu/web/größe-maße.yaml',
      'shop-eu/web/soundline.yaml',
      'shop-eu/workspace.yaml',
      'soundline.schema.json',
      '日本/true/soundline.yaml',
      '日本/workspace.yaml',
    ])
    const all = Object.values(files).join('')
    for (const value of Object.values(VALUES)) expect(all).not.toContain(value)
    expect(all).not.toContain('seen')
    expect(files['shop-eu/web/checkout.yaml']).toBe(CHECKOUT)
  })

  test('of one project has that project only', async () => {
    const folder = join(root, 'project')
    expect(await commandLine(api, source.key, ['export', '--project', 'Web', folder])).toMatchObject({ code: 0 })
    expect(Object.keys(await filesOf(folder)).filter((path) => path.endsWith('soundline.yaml'))).toHaveLength(1)
    expect(await commandLine(api, source.key, ['plan', '--detailed-exitcode', folder])).toMatchObject({ code: 0 })
  })
})

describe('the JSON Schema', () => {
  test('accepts every exported file, and refuses what the format does not have', async () => {
    const ajv = new Ajv({ strict: false })
    addFormats(ajv)
    const check = ajv.compile(JSON.parse(await readFile(join(exported, 'soundline.schema.json'), 'utf8')))
    const files = Object.entries(await filesOf(exported)).filter(([path]) => path.endsWith('.yaml'))
    expect(files).toHaveLength(8)
    for (const [path, text] of files) expect([path, check(parse(text)), check.errors]).toEqual([path, true, null])
    const checkout = parse(CHECKOUT)
    for (const wrong of [
      { ...checkout, kind: 'monitor' },
      { ...checkout, name: '' },
      { ...checkout, probeMode: 'all' },
      { ...checkout, shedule: '* * * * *' },
      { ...checkout, variables: { 'a b': { type: 'variable' } } },
      { ...checkout, variables: { a: { type: 'number' } } },
    ]) {
      expect([wrong, check(wrong)]).toEqual([wrong, false])
    }
  })
})

describe('a folder with mistakes', () => {
  test('is refused with every mistake and its file', async () => {
    const folder = join(root, 'mistakes')
    await cp(exported, folder, { recursive: true })
    const service = (text: string) => `kind: service\n${text}\n`
    const broken: Record<string, string> = {
      'a.yaml': service('name: A\nshedule: "* * * * *"'),
      'b.yaml': service('name: B\nscript: ../../../../etc/hostname'),
      'c.yaml': service('name: C\nscript: missing.lace'),
      'd.yaml': service('name: Checkout'),
      'e.yaml': service('name: E\nvariables: { t: { type: secret, value: hunter2 } }'),
      'f.yaml': 'kind: [service',
    }
    for (const [name, text] of Object.entries(broken)) await writeFile(join(folder, 'shop-eu/web', name), text)
    const { code, errors } = await commandLine(api, source.key, ['plan', folder])
    expect(code).toBe(2)
    for (const line of [
      'a.yaml: shedule is not a field of this format',
      'b.yaml: script: must be a path inside the folder',
      'c.yaml: script: cannot read shop-eu/web/missing.lace',
      'd.yaml: the service "Checkout" is also in shop-eu/web/checkout.yaml',
      'e.yaml: variables.t.value: must not be written for a secret',
      'f.yaml: ',
    ]) {
      expect(errors).toContain(`shop-eu/web/${line}`)
    }
    expect(errors).not.toContain('hunter2')
  })
})

describe('apply', () => {
  test('of another time zone is a change, and of another name of the same zone is none', async () => {
    const target = await createEmptySide(api, AGENTS)
    const folder = join(root, 'zones')
    const service = (timezone: string) =>
      writeFile(join(folder, 'a.yaml'), `kind: service\nname: A\nschedule: "0 9 * * *"\ntimezone: ${timezone}\n`)
    const plan = () => commandLine(api, target.key, ['plan', '--detailed-exitcode', folder])
    const apply = () => commandLine(api, target.key, ['apply', '--yes', folder])
    await mkdir(folder)
    await writeFile(join(folder, 'soundline.yaml'), 'kind: project\nworkspace: Zones\nname: Zones\n')
    await service('Asia/Calcutta')
    expect(await apply()).toMatchObject({ code: 0, errors: '' })
    for (const name of ['Asia/Kolkata', 'asia/calcutta', 'Asia/Calcutta']) {
      await service(name)
      expect(await plan()).toMatchObject({ code: 0 })
    }
    await service('Asia/Tokyo')
    expect(await plan()).toMatchObject({
      code: 2,
      output: expect.stringMatching(/timezone.*Asia\/Calcutta.*Asia\/Tokyo/),
    })
    expect(await apply()).toMatchObject({ code: 0 })
    await service('null')
    expect(await apply()).toMatchObject({ code: 0 })
    await service('UTC')
    expect(await plan()).toMatchObject({ code: 0 })
    await service('Mars/Olympus')
    expect(await apply()).toMatchObject({ code: 1, errors: expect.stringContaining('IANA name of a time zone') })
  })

  test('that is killed anywhere continues', async () => {
    const target = await createEmptySide(api, AGENTS)
    const codes: number[] = []
    while (codes.at(-1) !== 0) {
      const stop = new AbortController()
      let writes = 0
      const { code } = await commandLine(api, target.key, ['apply', '--yes', exported], {
        environment: VALUES,
        signal: stop.signal,
        // Each run ends with its sixth write: one run before the write has its effect, the next run after it.
        send: async (request, pass) => {
          if (request.method === 'GET' || ++writes < 6) return pass(request)
          if (codes.length % 2 === 0) await pass(request)
          stop.abort()
          throw new Error('killed')
        },
      })
      codes.push(code)
      expect(codes.length).toBeLessThan(40)
    }
    expect(codes.length).toBeGreaterThan(3)
    expect(new Set(codes.slice(0, -1))).toEqual(new Set([130]))
    expect(await readConfiguration(api, target)).toEqual(await readConfiguration(api, source))
  }, 60_000)

  test('without values changes nothing and names them; on a terminal, asks for them and for consent', async () => {
    const target = await createEmptySide(api, AGENTS)
    const { code, errors } = await commandLine(api, target.key, ['apply', '--yes', exported])
    expect(code).toBe(2)
    expect(errors).toContain('SOUNDLINE_VAR_SERVICE_CHECKOUT_PASSWORD or SOUNDLINE_VAR_SERVICE_PASSWORD')
    expect((await caller(api, target.key)('GET', '/workspaces')).items).toEqual([])
    const asked: [string, boolean | undefined][] = []
    const ask = async (question: string, options?: { isSecret?: boolean }) => {
      asked.push([question, options?.isSecret])
      return question.startsWith('Apply') ? 'no' : 'x'
    }
    expect(await commandLine(api, target.key, ['apply', exported], { ask })).toMatchObject({ code: 2 })
    expect(asked).toEqual([['Apply this plan? (yes/no) ', undefined]])
  })
})

describe('an empty organization', () => {
  let target: Side
  let folder: string
  const file = (path: string) => join(folder, path)
  const edit = async (path: string, from: string, to: string) => {
    const text = await readFile(file(path), 'utf8')
    expect(text).toContain(from)
    await writeFile(file(path), text.replace(from, to))
  }

  beforeAll(async () => {
    target = await createEmptySide(api, AGENTS)
    folder = join(root, 'changes')
    await cp(exported, folder, { recursive: true })
  }, 60_000)

  test('becomes an equal one by apply, and the plan is empty then', async () => {
    const before = await commandLine(api, target.key, ['plan', '--detailed-exitcode', exported])
    expect([before.code, before.errors]).toEqual([2, ''])
    const applied = await commandLine(api, target.key, ['apply', '--yes', exported], { environment: VALUES })
    expect([applied.code, applied.errors]).toEqual([0, ''])
    expect(await readConfiguration(api, target)).toEqual(await readConfiguration(api, source))
    const after = await commandLine(api, target.key, ['plan', '--detailed-exitcode', '--prune', exported])
    expect([after.code, after.errors]).toEqual([0, ''])
    expect(after.output).toContain('Nothing to change')
    const again = join(root, 'target')
    await commandLine(api, target.key, ['export', again])
    expect(await filesOf(again)).toEqual(await filesOf(exported))
  })

  describe('then, changes', () => {
    test('are planned field by field, and applied', async () => {
      await edit('shop-eu/web/checkout.yaml', 'schedule: "*/10 * * * *"', 'schedule: "*/15 * * * *"')
      await edit('shop-eu/web/checkout.yaml', '  - prod\n  - web', '  - web\n  - eu')
      await edit('shop-eu/web/checkout.yaml', 'confirmFailures: 3', 'confirmFailures: 2')
      await edit('shop-eu/web/checkout.lace', 'status: 200', 'status: 201')
      const plan = await commandLine(api, target.key, ['plan', '--json', folder])
      const { changes } = JSON.parse(plan.output)
      expect(changes).toMatchObject([
        {
          op: 'update',
          kind: 'service',
          path: ['Shop: "EU"', 'Web', 'Checkout'],
          fields: {
            labels: { from: ['prod', 'web'], to: ['web', 'eu'] },
            schedule: { from: '*/10 * * * *', to: '*/15 * * * *' },
            script: {},
          },
        },
        { op: 'update', kind: 'variable', key: 'confirmFailures', fields: { value: { from: '3', to: '2' } } },
      ])
      const shown = await commandLine(api, target.key, ['plan', folder])
      expect(shown.output).toContain('schedule: */10 * * * * → */15 * * * *')
      expect(shown.output).toContain('-.expect(status: 200)')
      const applied = await commandLine(api, target.key, ['apply', '--yes', folder])
      expect([applied.code, applied.errors]).toEqual([0, ''])
      expect(await commandLine(api, target.key, ['plan', '--detailed-exitcode', folder])).toMatchObject({ code: 0 })
    })

    test('that meet another change stop, and say what was done', async () => {
      await edit('shop-eu/web/checkout.lace', 'status: 201', 'status: 202')
      await edit('shop-eu/web/größe-maße.yaml', 'saveResponseBodies: true', 'saveResponseBodies: false')
      const call = caller(api, target.key)
      const [workspace] = (await call('GET', '/workspaces')).items as { id: string }[]
      const [project] = (await call('GET', `/projects?workspaceId=${workspace?.id}`)).items as { id: string }[]
      const services = (await call('GET', `/services?projectId=${project?.id}`)).items as Record<string, unknown>[]
      const checkout = services.find(({ name }) => name === 'Checkout')
      let isFirst = true
      const applied = await commandLine(api, target.key, ['apply', '--yes', folder], {
        send: async (request, pass) => {
          if (request.method === 'PATCH' && isFirst) {
            isFirst = false
            const { id, version, script } = checkout as Record<string, unknown>
            await call('PATCH', `/services/${id}/script`, { script: `${script}// theirs\n`, version })
          }
          return pass(request)
        },
      })
      expect(applied.code).toBe(1)
      expect(applied.errors).toMatch(/version_conflict|changed by someone else/)
      expect(applied.errors).toMatch(/Done: \d\. Not done: \d:/)
      expect(await commandLine(api, target.key, ['apply', '--yes', folder])).toMatchObject({ code: 0 })
      expect(await commandLine(api, target.key, ['plan', '--detailed-exitcode', folder])).toMatchObject({ code: 0 })
    })

    test('of the hosts of a secret need its value, and keep it', async () => {
      await edit('shop-eu/workspace.yaml', '- shop.example.com', '- pay.example.com')
      const refused = await commandLine(api, target.key, ['apply', '--yes', folder])
      expect(refused).toMatchObject({ code: 2, errors: expect.stringContaining('SOUNDLINE_VAR_WORKSPACE_TOKEN') })
      const applied = await commandLine(api, target.key, ['apply', '--yes', folder], { environment: VALUES })
      expect([applied.code, applied.errors]).toEqual([0, ''])
      const own = and(eq(variables.organizationId, target.organization.id), eq(variables.key, 'token'))
      const [row] = await api.db.select().from(variables).where(own)
      expect(row?.allowedHosts[0]).toBe('pay.example.com')
      const { organizationId, id, sealed } = row as typeof variables.$inferSelect
      const value = api.runtime.vault.open(sealed as never, 'variable', organizationId, id)
      expect(value).toBe(VALUES.SOUNDLINE_VAR_WORKSPACE_TOKEN)
    })

    test('delete only with --prune', async () => {
      const call = caller(api, target.key)
      const [workspace] = (await call('GET', '/workspaces')).items as { id: string }[]
      const [project] = (await call('GET', `/projects?workspaceId=${workspace?.id}`)).items as { id: string }[]
      await call('POST', '/services', { projectId: project?.id, name: 'Undescribed' })
      await call('POST', `/projects/${project?.id}/variables`, { key: 'old', value: '1', type: 'metric' })
      const plan = await commandLine(api, target.key, ['plan', '--detailed-exitcode', folder])
      expect(plan.code).toBe(0)
      expect(plan.output).toContain('- service Shop: "EU" / Web / Undescribed (only with --prune)')
      expect(await commandLine(api, target.key, ['plan', '--detailed-exitcode', '--prune', folder])).toMatchObject({
        code: 2,
      })
      expect(await commandLine(api, target.key, ['apply', '--yes', '--prune', folder])).toMatchObject({
        code: 0,
        errors: '',
      })
      expect(await commandLine(api, target.key, ['plan', '--detailed-exitcode', '--prune', folder])).toMatchObject({
        code: 0,
      })
    })

    test('of a name keep the service when its file has the id', async () => {
      const call = caller(api, target.key)
      const [workspace] = (await call('GET', '/workspaces')).items as { id: string }[]
      const [project] = (await call('GET', `/projects?workspaceId=${workspace?.id}`)).items as { id: string }[]
      const services = (await call('GET', `/services?projectId=${project?.id}`)).items as { id: string; name: string }[]
      const id = services.find(({ name }) => name === 'Checkout')?.id
      await edit('shop-eu/web/checkout.yaml', 'name: Checkout', `id: ${id}\nname: Pay`)
      expect(await commandLine(api, target.key, ['apply', '--yes', folder])).toMatchObject({ code: 0, errors: '' })
      expect((await call('GET', `/services/${id}`)).name).toBe('Pay')
      // An export keeps the files and their ids.
      const before = await filesOf(folder)
      expect(await commandLine(api, target.key, ['export', folder])).toMatchObject({ code: 0 })
      expect(await filesOf(folder)).toEqual(before)
    })
  })
})
