// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the script language
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FORMATS, type Format, importFile } from '#server/cli/code/import/formats.ts'
import { toFolder } from '#server/cli/code/import/to-folder.ts'
import { validateScript } from '#server/language/lace/validator.ts'
import { cronProblem } from '#server/schedule/cron.ts'
import { SCRIPT_LIMITS } from '#server/schemas/scripts/limits.ts'
import { testApi } from '#test/support/api/api.ts'
import * as files from '#test/support/cli/foreign-files.ts'
import { commandLine } from '#test/support/cli/in-process.ts'
import { caller } from '#test/support/cli/source-world.ts'
import { testFolder } from '#test/support/folder.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS, until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// What other programs export becomes services. Every script is one that the language's validator accepts, no credential
// is in the folder, and everything that did not carry over is told.

const api = testApi({ settings: { PROBE_ALLOWED_NETWORKS: '127.0.0.0/8', SECRET_KEYS: TEST_SECRET_KEYS } })
const root = testFolder()

const FILES: [Format, string][] = [
  ['curl', files.CURL],
  ['har', files.HAR],
  ['openapi', files.OPENAPI],
  ['postman', files.POSTMAN],
  ['uptime-kuma', files.KUMA],
  ['gatus', files.GATUS],
  ['checkly', files.CHECKLY],
  ['checkly', files.CHECKLY_CONSTRUCTS],
]

function imported(format: Format, text: string) {
  const { folder, notes } = toFolder(importFile(format, text), { workspace: 'W', project: 'P' })
  const services = folder.projects[0]?.services ?? []
  const named = (name: string) => {
    const found = services.find(({ file }) => file.name === name)
    if (!found) throw new Error(`no ${name} in ${services.map(({ file }) => file.name).join()}`)
    return found
  }
  return { project: folder.projects[0]?.file, services, notes, named }
}

/** The schema of the body that an import made. */
function schemaOf({ file }: { file: { variables?: Record<string, { value?: string | undefined }> | undefined } }) {
  return JSON.parse(file.variables?.importedBodySchema?.value ?? 'null')
}

/** The schema of a value below names. */
function under([name = '', ...rest]: string[], value: object): object {
  return { type: 'object', required: [name], properties: { [name]: rest.length === 0 ? value : under(rest, value) } }
}

const importInto = async (name: string, format: Format, text: string, project = 'Taken over') => {
  await writeFile(join(root, `${name}.txt`), text)
  const folder = join(root, name)
  const args = ['import', format, join(root, `${name}.txt`), folder, '--project', project, '--workspace', 'Old']
  return { folder, result: await commandLine(api, null, args) }
}

test('every format has a file here', () => {
  expect([...new Set(FILES.map(([format]) => format))]).toEqual([...FORMATS])
})

test.each(FILES)('%s: valid scripts and schedules, and no credentials', (format, text) => {
  const { services, project, notes } = imported(format, text)
  expect(services.length).toBeGreaterThan(0)
  for (const { file, script } of services) {
    expect(validateScript(script ?? '', { ...SCRIPT_LIMITS, scopes: ['o', 'w', 'p', 's'] }).errors).toEqual([])
    if (file.schedule) expect(cronProblem(file.schedule)).toBe(null)
  }
  expect(JSON.stringify([services, project, notes])).not.toMatch(
    /abc-token|hunter2|tok-123|key-\d\d|pass-\d|\/secret|btoa/,
  )
})

describe('carries over', () => {
  test('curl: each command, and a dollar sign', () => {
    const { services, named, notes } = imported('curl', files.CURL)
    expect(services.map(({ file }) => file.name)).toEqual(['GET shop.example.com/health', 'POST shop.example.com/cart'])
    expect(named('GET shop.example.com/health').script).toContain('"Authorization": "Bearer $s.token"')
    const cart = named('POST shop.example.com/cart')
    expect(cart.file).toMatchObject({ isActive: false, variables: { dollar: { type: 'variable', value: '$' } } })
    expect(notes.map(({ what }) => what)).toEqual([
      'the status',
      'the status',
      'the schedule',
      'the command',
      'the value of the header Authorization',
    ])
  })

  test('HAR: a recording as one service', () => {
    const { services } = imported('har', files.HAR)
    expect(services).toHaveLength(1)
    expect(services[0]?.script?.match(/^(get|post)\(/gm)).toEqual(['get(', 'post('])
    expect(services[0]?.file.variables).toEqual({ password: { type: 'secret', allowedHosts: [] } })
  })

  test('OpenAPI: each operation, only reading ones switched on', () => {
    const { services } = imported('openapi', files.OPENAPI)
    expect(services.map(({ file }) => [file.name, file.isActive])).toEqual([
      ['GET /orders', true],
      ['POST /orders', false],
    ])
  })

  test('Postman: variables, authorization, path variables, and the status of a test', () => {
    const { named, project, notes } = imported('postman', files.POSTMAN)
    const list = named('Orders / List "all"')
    expect(list.script).toContain('get("${$p.base_url}/orders/7?q=1"')
    expect(list.script).toContain('"Authorization": "Bearer ${$p.token}"')
    expect(list.script).toContain('.expect(status: 202)')
    expect(list.script).not.toContain('X-Off')
    expect(named('Orders / Create').script).toContain('"note": "${$p.token}"')
    expect(project?.variables).toEqual({
      base_url: { type: 'variable', value: 'https://shop.example.com' },
      token: { type: 'secret', allowedHosts: [] },
      trace_id: { type: 'variable' },
    })
    expect(notes.map(({ check, what }) => `${check}: ${what}`)).toEqual([
      'all: the value of the variable token',
      'Orders / List "all": 1 assertion of its tests',
      'Orders / List "all": the pre-request script',
      'Orders / List "all": the schedule',
      'Orders / Create: the status',
      'Orders / Create: the schedule',
      'Orders / Upload: the request',
      'Dynamic: {{$guid}}',
      'Dynamic: the status',
      'Orders / Create: the value of the header Authorization',
    ])
  })

  test('Uptime Kuma: statuses, keywords, JSON queries, retries and tags', () => {
    const { named, services, notes } = imported('uptime-kuma', files.KUMA)
    expect(services.map(({ file }) => file.name)).toEqual(['Shop', 'Shop 2', 'Stock', 'Odd'])
    expect(named('Shop').file).toMatchObject({
      labels: ['prod', 'web'],
      schedule: '* * * * *',
      alerting: { confirmFailures: 3 },
    })
    expect(named('Shop').script).toContain('(this.status gte 200 and this.status lte 299) or this.status eq 301')
    expect(named('Shop').script).toContain('redirects: { max: 3 }')
    expect(named('Shop 2').file.isActive).toBe(false)
    expect(named('Shop 2').script).toContain('not includes("Say \\"hi\\" ${$s.dollar}you", this.body)')
    expect(named('Stock').script).toContain('body: schema($s.importedBodySchema)')
    expect(schemaOf(named('Stock'))).toEqual(under(['stock', 'left'], { type: 'number', minimum: 3 }))
    // What it lost would make it pass where the monitor fails.
    expect(named('Odd').file.isActive).toBe(false)
    expect(notes.map(({ check }) => check)).toEqual(expect.arrayContaining(['Odd', 'Router', 'Head', 'all']))
  })

  test('Gatus: conditions, groups, intervals, environment variables and thresholds', () => {
    const { named, project, notes } = imported('gatus', files.GATUS)
    const { script, file } = named('front-end')
    for (const line of [
      '(this.status eq 200 or this.status eq 429)',
      'this.responseTime lt 500',
      'body: schema($s.importedBodySchema)',
      '"Authorization": "Bearer ${$p.SHOP_TOKEN}"',
      'redirects: { follow: false }',
    ]) {
      expect(script).toContain(line)
    }
    const [status, name, items, errors, date] = schemaOf(named('front-end')).allOf
    expect(status).toEqual(under(['status'], { enum: ['UP'] }))
    expect(name).toEqual(under(['name'], { type: 'string', pattern: '^[\\s\\S]*shop[\\s\\S]*$' }))
    expect(items.properties.items.anyOf[0]).toEqual({ type: 'array', minItems: 1 })
    expect(errors).toEqual({ not: under(['errors'], { not: { type: 'null' } }) })
    expect(date.properties.date.pattern).toBe('^20[\\s\\S]0-[\\s\\S]*$')
    expect(file).toMatchObject({
      label: 'core',
      schedule: '*/5 * * * *',
      alerting: { confirmFailures: 4, alertOnRecovery: true },
    })
    expect(project?.variables).toEqual({ SHOP_TOKEN: { type: 'secret', allowedHosts: [] } })
    expect(named('graph').script).toContain('"query": "{ me { id } }"')
    expect(notes.map(({ what }) => what)).toEqual([
      'the alerts to slack',
      'the condition [CERTIFICATE_EXPIRATION] > 48h',
      'the client option oauth2',
      'the condition [BODY].name == pat(*shop*)',
      'the condition len([BODY].items) > 0',
      'the condition has([BODY].errors) == false',
      'the condition [BODY].date == pat(20?0-*)',
      'the interval of 45 s',
      'the endpoint 8.8.8.8',
      'the section alerting',
    ])
  })

  test('Checkly: assertions, variables, query parameters and limits', () => {
    const { named, project, services, notes } = imported('checkly', files.CHECKLY)
    expect(services).toHaveLength(1)
    const { script, file } = named('Books')
    for (const line of [
      'post("${$p.SHOP_URL}/books?region=${$s.REGION}&q=a%20b%26${$s.REGION}"',
      'totalDelayMs: { value: 20000, op: "lte" }, body: schema($s.importedBodySchema)',
      'this.status lt 400,\n    this.status eq 201',
      'includes("\\"content-type\\":\\"application/json\\"", this.headers)',
      'includes("\\"x-cache\\":\\"", this.headers) and not includes("\\"x-cache\\":\\"\\"", this.headers)',
      'includes("ngi${$s.dollar}nx", this.headers.server)',
      'this.responseTime lt 900',
      '"password": "${$s.PASSWORD}"',
      'rejectInvalidCerts: false',
    ]) {
      expect(script).toContain(line)
    }
    expect(file.variables).toMatchObject({ REGION: { value: 'eu' }, PASSWORD: { type: 'secret' } })
    expect(project?.variables).toEqual({ SHOP_URL: { type: 'variable' } })
    expect(notes.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['the browser check', 'the tcp check', 'the setup script', 'the locations eu-west-1']),
    )
    const [first, items] = schemaOf(named('Books')).allOf
    const book = {
      anyOf: [
        { type: 'string', pattern: 'boo"k' },
        { type: 'array', contains: { enum: ['boo"k'] } },
      ],
    }
    expect(first).toEqual(under(['first', 'name'], book))
    expect(items).toEqual(under(['items'], { not: { enum: ['', null, [], {}] } }))
    expect(notes.filter(({ what, why }) => what.startsWith('the assertion') && why.includes('no such'))).toHaveLength(2)
    const construct = imported('checkly', files.CHECKLY_CONSTRUCTS).named('Plain')
    expect(construct.file).toMatchObject({ isActive: false, schedule: '* * * * *' })
    expect(construct.script).toContain('this.status lt 400')
  })
})

describe('no text names a variable but in the syntax of its format', () => {
  const FORGED = '\uE000p.token\uE001'
  const request = {
    method: 'POST',
    url: `https://shop.example.com/a?b=${FORGED}`,
    headers: [{ key: 'X-A', name: 'X-A', value: `${FORGED} $s.base` }],
  }
  const json = JSON.stringify({ a: FORGED, c: '$s.base' }).replaceAll('\uE000', '\\ue000')
  const paths = { '/a': { post: { requestBody: { content: { 'application/json': { example: { a: FORGED } } } } } } }
  const item = { request: { ...request, header: request.headers, body: { mode: 'raw', raw: json } } }
  const monitor = { ...request, type: 'keyword', keyword: FORGED, body: json, headers: JSON.stringify({ x: FORGED }) }
  const endpoint = { ...request, headers: { x: FORGED }, body: json, conditions: [`[BODY].a == ${FORGED}`] }
  const har = { request: { ...request, postData: { mimeType: 'application/json', text: json } } }

  test.each<[Format, string]>([
    [
      'curl',
      `curl 'https://shop.example.com/${FORGED}' -H 'X-A: ${FORGED}' --data-raw $'{"a":"\\ue000p.token\\ue001"}'`,
    ],
    ['har', JSON.stringify({ log: { entries: [har] } })],
    ['openapi', JSON.stringify({ openapi: '3.1.0', servers: [{ url: 'https://x.example' }], paths })],
    ['postman', JSON.stringify({ item: [item] })],
    ['uptime-kuma', JSON.stringify({ monitorList: [monitor] })],
    ['gatus', JSON.stringify({ endpoints: [endpoint] })],
    ['checkly', JSON.stringify([{ checkType: 'API', request: { ...request, body: json, bodyType: 'JSON' } }])],
  ])('%s', (format, text) => {
    const { services, project, notes } = imported(format, text)
    const [service] = services
    expect(services).toHaveLength(1)
    expect(service?.script?.normalize()).toMatch(/\uE000|%EE%80%80/)
    expect(service?.script).not.toMatch(/\$\{?\$?[ps]\.(token|base)/)
    expect(validateScript(service?.script ?? '', { ...SCRIPT_LIMITS, scopes: ['p', 's'] }).errors).toEqual([])
    expect(JSON.stringify([service?.file.variables, project?.variables, notes])).not.toMatch(/"token"|"base"/)
  })
})

describe('is reported', () => {
  const checkly = (check: object) => {
    const request = { method: 'GET', url: 'https://shop.example.com' }
    return imported('checkly', JSON.stringify([{ checkType: 'API', name: 'A', request, ...check }]))
  }

  test('the value of a variable whose name is one of a credential', () => {
    const postman = imported(
      'postman',
      JSON.stringify({
        variable: [{ key: 'access-token', value: 'tok-123' }],
        item: [{ name: 'A', request: { method: 'GET', url: 'https://shop.example.com/{{access-token}}/{{api_key}}' } }],
      }),
    )
    const secret = { type: 'secret', allowedHosts: [] }
    expect(postman.project?.variables).toEqual({ access_token: secret, api_key: secret })
    expect(postman.notes).toMatchObject([{ check: 'all', what: 'the value of the variable access_token' }, {}])
    const { named, notes } = checkly({ environmentVariables: [{ key: 'API_KEY', value: 'key-12', locked: false }] })
    expect(named('A').file.variables).toEqual({ API_KEY: secret })
    expect(notes).toMatchObject([{ check: 'A', what: 'the value of the variable API_KEY' }])
  })

  test('a condition on the connection or the certificate that means something', () => {
    const conditions = ['[CONNECTED] == true', '[CONNECTED] == false', '[CERTIFICATE_EXPIRATION] > 720h']
    const endpoint = { name: 'A', url: 'https://shop.example.com', conditions }
    const { notes } = imported('gatus', JSON.stringify({ endpoints: [endpoint] }))
    const lost = conditions.slice(1).map((text) => `the condition ${text}`)
    expect(notes.map(({ what }) => what).sort()).toEqual([...lost, 'the schedule'].sort())
  })

  test('accepted codes that cannot be read', () => {
    const monitor = { name: 'A', type: 'http', url: 'https://shop.example.com', accepted_statuscodes: ['2xx'] }
    const { notes, named } = imported('uptime-kuma', JSON.stringify({ monitorList: [monitor] }))
    expect(notes.map(({ what }) => what)).toEqual(['the accepted codes 2xx', 'the schedule'])
    expect(named('A').file.isActive).toBe(false)
  })

  test.each([
    [{ username: '{{USER}}', password: 'ä' }, 'with a variable'],
    [{ username: 'ä', password: '密碼' }, 'with any characters'],
  ])('the password of %j, %s', (basicAuth) => {
    const { named, notes } = checkly({ request: { method: 'GET', url: 'https://shop.example.com', basicAuth } })
    expect(named('A').script).toContain('"Authorization": "Basic $s.authorization"')
    expect(notes.map(({ what }) => what)).toEqual(['the value of the header Authorization'])
  })

  test('nothing about a status from 400 on, which fails a check of Checkly; with shouldFail, one below does', () => {
    const assertions = [{ source: 'TEXT_BODY', comparison: 'CONTAINS', target: 'ok' }]
    const request = { method: 'GET', url: 'https://shop.example.com', assertions }
    expect(checkly({ request }).named('A').script).toContain('this.status lt 400')
    const { named, notes } = checkly({ request, shouldFail: true })
    expect(named('A').script).toContain('this.status gte 400')
    expect(notes).toEqual([])
  })
})

describe('the command', () => {
  test('writes a folder with a report', async () => {
    const { folder, result } = await importInto('kuma', 'uptime-kuma', files.KUMA)
    expect([result.code, result.errors]).toEqual([0, ''])
    expect(result.output).toContain('4 services')
    const report = await readFile(join(folder, 'import-report.md'), 'utf8')
    expect(report).toContain('| Router | the ping monitor | Soundline probes over HTTP and HTTPS only. |')
  })

  test('refuses a folder with files, and a file of another program', async () => {
    const { folder } = await importInto('gatus', 'gatus', files.GATUS)
    const twice = await commandLine(api, null, ['import', 'gatus', join(root, 'gatus.txt'), folder])
    expect(twice).toMatchObject({ code: 2, errors: expect.stringContaining('is not empty') })
    const { result } = await importInto('wrong', 'postman', files.GATUS)
    expect(result).toMatchObject({ code: 2, errors: expect.stringContaining('not a collection of Postman') })
  })

  test('reads standard input', async () => {
    const args = ['import', 'curl', '-', join(root, 'stdin'), '--json']
    const { code, output } = await commandLine(api, null, args, { input: files.CURL })
    expect([code, JSON.parse(output).services]).toEqual([0, 2])
  })
})

describe('imported services', () => {
  const workers = testWorkers(api.databaseUrl)
  let target: HttpTarget
  beforeAll(async () => {
    target = await startHttpTarget((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"stock": {"left": 5}, "status": "UP", "name": "my shop", "items": [1], "date": "2010-02-01"}')
    })
    await workers.start()
  })
  afterAll(() => target.close())

  test('are applied and run', async () => {
    const { owner } = await api.create.tree()
    const call = caller(api, owner)
    const environment = {
      SOUNDLINE_VAR_SERVICE_X_API_KEY: 'k',
      SOUNDLINE_VAR_SERVICE_AUTHORIZATION: 'eDp5',
      SOUNDLINE_VAR_PROJECT_SHOP_TOKEN: 'token',
    }
    const local = (text: string) => text.replaceAll('https://shop.example.com', `http://127.0.0.1:${target.port}`)
    for (const [format, text] of [['uptime-kuma', files.KUMA] as const, ['gatus', files.GATUS] as const]) {
      const { folder } = await importInto(`run-${format}`, format, local(text), format)
      const applied = await commandLine(api, owner, ['apply', '--yes', folder], { environment })
      expect([applied.code, applied.errors]).toEqual([0, ''])
      expect(await commandLine(api, owner, ['plan', '--detailed-exitcode', folder])).toMatchObject({ code: 0 })
    }
    const workspaces = (await call('GET', '/workspaces')).items as { id: string; name: string }[]
    const old = workspaces.find(({ name }) => name === 'Old')
    const projects = (await call('GET', `/projects?workspaceId=${old?.id}`)).items as { id: string }[]
    const states: Record<string, unknown> = {}
    for (const { id: projectId } of projects) {
      const services = (await call('GET', `/services?projectId=${projectId}`)).items as Record<string, unknown>[]
      for (const { id, name, isActive } of services) {
        if (isActive) await call('POST', `/services/${id}/run`)
        const results = isActive
          ? await until('a result', async () => {
              const { items } = await call('GET', `/services/${id}/results`)
              return (items as { status: string }[])[0]
            })
          : null
        states[String(name)] = results?.status ?? 'off'
      }
    }
    expect(states).toEqual({
      Shop: 'success',
      'Shop 2': 'off',
      Stock: 'success',
      Odd: 'off',
      'front-end': 'success',
      graph: 'off',
    })
  }, 60_000)
})
