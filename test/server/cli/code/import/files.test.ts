import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Format, importFile } from '#server/cli/code/import/formats.ts'
import { toFolder } from '#server/cli/code/import/to-folder.ts'
import { runScript } from '#server/language/lace/executor.ts'
import { ImportError } from '#server/language/script-import/request.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { testApi } from '#test/support/api/api.ts'
import { commandLine } from '#test/support/cli/in-process.ts'
import { testFolder } from '#test/support/folder.ts'
import { type HttpTarget, readAll, startHttpTarget } from '#test/support/targets/http-target.ts'
import { createTransport } from '#worker/http/client.ts'

// Files as their programs read them, and a note for all that a service cannot hold.

const api = testApi()
const root = testFolder()
const URL_OF_SHOP = 'https://shop.example.com'

function imported(format: Format, file: unknown) {
  const text = typeof file === 'string' ? file : JSON.stringify(file)
  const { folder, notes } = toFolder(importFile(format, text), { workspace: 'W', project: 'P' })
  const services = folder.projects[0]?.services ?? []
  return { services, notes, files: services.map(({ file }) => file), whats: notes.map(({ what }) => what) }
}

describe('YAML is read as its program reads it', () => {
  const gatus = (text: string) => imported('gatus', text)
  const endpoint = (more: string) => `endpoints:\n  - name: a\n    url: ${URL_OF_SHOP}\n    ${more}\n`

  test.each(['no', 'No', 'NO', 'n', 'off', 'Off', 'false'])('enabled: %s', (word) => {
    expect(gatus(endpoint(`enabled: ${word}`)).files[0]?.isActive).toBe(false)
  })

  test.each(['yes', 'on', 'Y', 'true'])('insecure: %s', (word) => {
    const { services } = gatus(endpoint(`client: { insecure: ${word} }`))
    expect(services[0]?.script).toContain('rejectInvalidCerts: false')
  })

  test('the first of several merged mappings wins, and the own key before it', () => {
    const bases = 'x: [&a { interval: 2m, group: a }, &b { interval: 3m, group: b, enabled: no }]\n'
    const own = 'y: &c\n  <<: [*a, *b]\n  group: c\n'
    const { files } = gatus(`${bases}${own}endpoints: [{ <<: *c, name: a, url: ${URL_OF_SHOP} }]`)
    expect(files).toMatchObject([{ schedule: '*/2 * * * *', label: 'c', isActive: false }])
  })

  test('hundreds of endpoints merge one mapping', () => {
    const endpoints = Array.from({ length: 400 }, (_, at) => `  - { <<: *a, name: ${at}, url: "${URL_OF_SHOP}" }`)
    const { files } = gatus(`x: &a { interval: 2m }\nendpoints:\n${endpoints.join('\n')}`)
    expect(files.filter(({ schedule }) => schedule === '*/2 * * * *')).toHaveLength(400)
  })

  test('a byte order mark begins JSON too', () => {
    const { files } = gatus(`\uFEFF${JSON.stringify({ endpoints: [{ name: 'a', url: URL_OF_SHOP }] })}`)
    expect(files).toHaveLength(1)
  })

  test('merge keys that make a small file large are refused', () => {
    const keys = Array.from({ length: 5_000 }, (_, index) => `k${index}: 1`).join(', ')
    const merges = Array.from({ length: 900 }, () => '  - { <<: *a }').join('\n')
    const reading = () => gatus(`x: &a { ${keys} }\nendpoints:\n${merges}\n`)
    expect(reading).toThrow(ImportError)
    expect(reading).toThrow('becomes too large by its aliases')
  })
})

describe('nothing is cut without a note', () => {
  test('700 conditions, or a check that is switched off', () => {
    const conditions = Array.from({ length: 700 }, (_, index) => `[STATUS] != ${index + 1000}`)
    const { services } = imported('gatus', { endpoints: [{ name: 'a', url: URL_OF_SHOP, conditions }] })
    expect(services[0]?.script?.match(/this\.status neq/g)).toHaveLength(700)
    const onBody = conditions.map((one) => one.replace('[STATUS]', '[BODY].count'))
    const { files, notes } = imported('gatus', { endpoints: [{ name: 'a', url: URL_OF_SHOP, conditions: onBody }] })
    expect(files[0]).toMatchObject({ isActive: false, variables: {} })
    expect(notes).toContainEqual(expect.objectContaining({ check: 'a', what: 'conditions on the body' }))
  })

  test('thresholds, timeouts, redirects, labels and names', () => {
    const alerts = [{ type: 'slack', 'failure-threshold': 15 }]
    const endpoint = {
      name: 'n'.repeat(130),
      group: 'g'.repeat(40),
      url: URL_OF_SHOP,
      client: { timeout: '2m' },
      alerts,
    }
    const { files, whats } = imported('gatus', { endpoints: [endpoint, { ...endpoint, name: 'b', group: 'b' }] })
    expect(files.map(({ name, label }) => [name.length, label?.length])).toEqual([
      [128, 32],
      [1, 1],
    ])
    expect(whats).toEqual([
      `the name ${'n'.repeat(130)}`,
      ...['the alerts to slack', 'the alert after 15 failures', 'the timeout of 120 s', `the label ${'g'.repeat(40)}`],
      ...['the alerts to slack', 'the alert after 15 failures', 'the timeout of 120 s'],
    ])
    const monitor = { name: 'a', type: 'http', url: URL_OF_SHOP, maxredirects: 20, maxretries: 12, timeout: 48 }
    expect(imported('uptime-kuma', { monitorList: [monitor] }).whats).toEqual([
      'the limit of 20 redirects',
      'the alert after 13 failures',
    ])
  })

  test('more checks than an import may have, and names that occur twice', () => {
    const endpoints = Array.from({ length: 5_002 }, () => ({ name: 'a', url: URL_OF_SHOP }))
    const { files, whats } = imported('gatus', { endpoints })
    expect(files).toHaveLength(5_000)
    expect(new Set(files.map(({ name }) => name)).size).toBe(5_000)
    expect(whats).toEqual(['2 of 5002 checks'])
  })

  test('names that Unicode writes in two ways are one name, as the server has it', () => {
    const endpoints = ['Cafe\u0301', 'Caf\u00e9'].map((name) => ({ name, url: URL_OF_SHOP }))
    expect(imported('gatus', { endpoints }).files.map(({ name }) => name)).toEqual(['Caf\u00e9', 'Caf\u00e9 2'])
  })

  test('half of a surrogate pair in a query, which no URL has', () => {
    const queryParameters = [{ key: 'a(', value: '\ud83d' }]
    const { services } = imported('checkly', [{ name: 'a', request: { url: `${URL_OF_SHOP}/#x`, queryParameters } }])
    expect(services[0]?.script).toContain(`${URL_OF_SHOP}/?a%28=%EF%BF%BD#x`)
  })

  test('durations that cannot be read', () => {
    const endpoint = { name: 'a', url: URL_OF_SHOP, interval: 'hourly', client: { timeout: 5 } }
    const { files, services, whats } = imported('gatus', { endpoints: [endpoint] })
    expect(files[0]?.schedule).toBe('* * * * *')
    expect(services[0]?.script).toContain('timeout: { ms: 10000 }')
    expect(whats).toEqual(['the interval hourly', 'the timeout 5'])
  })

  test('headers that are not sent, and what is no check', () => {
    const pairs = [
      ['X-A', '1'],
      ['x-a', '2'],
      ['X B', '3'],
    ]
    const headers = pairs.map(([key, value]) => ({ key, value }))
    const payload = { checkType: 'API', name: 'a', request: { url: URL_OF_SHOP, headers } }
    const resources = [
      { type: 'check', payload },
      { type: 'alert-channel', payload: {} },
    ]
    const { services, whats } = imported('checkly', { resources })
    expect(services[0]?.script).toContain('headers: {\n    "X-A": "1, 2"\n  }')
    expect(whats).toEqual(['what has the type alert-channel', 'the header x-a, which is given twice', 'the header X B'])
  })

  test('a note names the check as it is called here', () => {
    const monitors = [false, true].map((upsideDown) => ({ name: 'a', type: 'http', url: URL_OF_SHOP, upsideDown }))
    const { files, notes } = imported('uptime-kuma', { monitorList: monitors.map((one) => ({ ...one, timeout: 48 })) })
    expect(files.map(({ name, isActive }) => [name, isActive])).toEqual([
      ['a', true],
      ['a 2', false],
    ])
    expect(notes.map(({ check, what }) => `${check}: ${what}`)).toEqual([
      'a 2: the upside down mode',
      'a 2: the schedule',
    ])
  })
})

describe('what Soundline would refuse', () => {
  const manyNumbers = JSON.stringify({ a: Array.from({ length: 12_000 }, () => 1) })
  const endpoints = [
    {
      name: 'long',
      url: URL_OF_SHOP,
      headers: { 'Content-Type': 'application/json' },
      method: 'POST',
      body: manyNumbers,
    },
    { name: 'fine', url: URL_OF_SHOP, interval: '5m', conditions: ['[STATUS] == 200'] },
  ]

  test('is a note beside the others, and apply takes the rest', async () => {
    await writeFile(join(root, 'gatus.yaml'), JSON.stringify({ endpoints }))
    const folder = join(root, 'folder')
    const args = ['import', 'gatus', join(root, 'gatus.yaml'), folder, '--project', 'P', '--workspace', 'W', '--json']
    const { code, output } = await commandLine(api, null, args)
    const { notes, services } = JSON.parse(output)
    expect([code, services]).toEqual([0, 1])
    expect(notes).toContainEqual({
      ...{ check: 'long', what: 'the whole check', todo: 'Write the script by hand.' },
      why: expect.stringMatching(/^Soundline would refuse it: line \d+ of its script, .*tokens/),
    })
    const { owner } = await api.create.tree()
    const applied = await commandLine(api, owner, ['apply', '--yes', folder])
    expect([applied.code, applied.errors]).toEqual([0, ''])
  })

  test('a value that is too long for a variable is left out', () => {
    const environmentVariables = [{ key: 'LONG', value: 'x'.repeat(5_000) }]
    const check = { checkType: 'API', name: 'a', environmentVariables, request: { url: `${URL_OF_SHOP}/{{LONG}}` } }
    const { files, whats } = imported('checkly', [check])
    expect(files[0]?.variables).toEqual({ LONG: { type: 'variable' } })
    expect(whats).toEqual(['the value of the variable LONG'])
  })
})

describe('a request is sent as its program sends it', () => {
  let target: HttpTarget
  let received: { type: string | undefined; body: string } | null = null
  beforeAll(async () => {
    target = await startHttpTarget(async (request, response) => {
      received = { type: request.headers['content-type'], body: (await readAll(request)).toString() }
      response.end()
    })
  })
  afterAll(() => target.close())

  test.each([
    ['application/json', '"one value"'],
    ['application/json', '{"id": 9007199254740993, "a": 1.10}'],
    ['application/json', '{"id": {{ID}}}', '{"id": 7}'],
    ['application/json', '{"a":"{{ID}}"}', '{"a":"7"}'],
    ['application/json-patch+json', '[{"op":"remove","path":"/a"}]'],
    ['application/vnd.api+json; charset=utf-8', '{"a":1}'],
    ['text/xml; charset=utf-8', '<a>{{ID}}</a>', '<a>7</a>'],
  ])('%s: %s', async (type, body, sent = body) => {
    const request = { method: 'POST', url: target.url.replace('localhost', '127.0.0.1'), body, bodyType: 'RAW' }
    const headers = [{ key: 'Content-Type', value: type }]
    const environmentVariables = [{ key: 'ID', value: '7' }]
    const check = { checkType: 'API', name: 'a', environmentVariables, request: { ...request, headers } }
    const { services } = imported('checkly', [check])
    const transport = createTransport({ allowedNetworks: parseNetworks(['127.0.0.0/8']) })
    const source = services[0]?.script ?? ''
    const variables = { s: { ID: '7' } }
    const result = await runScript({ source, variables, scopes: ['o', 'w', 'p', 's'], transport })
    expect(result.outcome).toBe('success')
    expect(received).toEqual({ type, body: sent })
    expect(services[0]?.file.isActive).toBe(false)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is imported switched off', (method) => {
    const request = { method, url: URL_OF_SHOP }
    for (const { files, whats } of [
      imported('gatus', { endpoints: [{ name: 'a', ...request }] }),
      imported('uptime-kuma', { monitorList: [{ name: 'a', type: 'http', timeout: 48, ...request }] }),
      imported('checkly', [{ checkType: 'API', name: 'a', request }]),
    ]) {
      expect(files.map(({ isActive }) => isActive)).toEqual([false])
      expect(whats).toEqual(['the schedule'])
    }
  })
})
