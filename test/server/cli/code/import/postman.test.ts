// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the script language
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importFile } from '#server/cli/code/import/formats.ts'
import { toFolder } from '#server/cli/code/import/to-folder.ts'
import { startReceiver } from '#test/support/cli/sent-request.ts'

// A request of a collection is sent as Postman sends it. Tests that can be read become conditions; others are notes.

let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const TESTED = [{ listen: 'test', script: { exec: ['pm.response.to.have.status(200);'] } }]

function importItem(item: object, collection: object = {}) {
  const document = { item: [{ name: 'A', event: TESTED, ...item }], ...collection }
  const { folder, notes } = toFolder(importFile('postman', JSON.stringify(document)), { workspace: 'W', project: 'P' })
  const [project] = folder.projects
  return { service: project?.services[0], project: project?.file, notes: notes.map(({ what }) => what) }
}

const requestTo = (request: object) => importItem({ request: { url: `http://${receiver.host}/a`, ...request } })

function testedBy(...lines: string[]) {
  const event = [{ listen: 'test', script: { exec: lines } }]
  const { service, notes } = importItem({ event, request: { url: 'https://example.com/' } })
  return { script: service?.script ?? '', isActive: service?.file.isActive, notes }
}

async function sentBy({ service }: ReturnType<typeof importItem>, p: Record<string, string> = {}, s = {}) {
  const [sent] = await receiver.send(service?.script ?? '', { p, s: { dollar: '$', ...s } })
  return sent
}

describe('the URL', () => {
  test.each([
    ['localhost:8080/x', 'http://localhost:8080/x'],
    ['{{base}}/x', '${$p.base}/x'],
    [
      {
        raw: 'http://a.example/x?a=1&b=2',
        query: [
          { key: 'a', value: '1', disabled: true },
          { key: 'b', value: '2' },
        ],
      },
      'http://a.example/x?b=2',
    ],
    [
      { raw: 'http://a.example/x?a=1#top', query: [{ key: 'a', value: '1', disabled: true }] },
      'http://a.example/x#top',
    ],
    [
      {
        protocol: 'https',
        host: ['a', 'example'],
        port: '8443',
        path: ['x', ':id'],
        variable: [{ key: 'id', value: '7' }],
      },
      'https://a.example:8443/x/7',
    ],
  ])('%j', (url, written) => {
    expect(importItem({ request: { url } }).service?.script).toContain(`get("${written}"`)
  })

  test('keeps a path variable without a value, and a dynamic variable, and a note says so', () => {
    const url = { raw: 'http://a.example/:id/{{$guid}}', variable: [{ key: 'id', value: '' }] }
    expect(importItem({ request: { url } }).notes).toEqual(['{{$guid}}', 'the path variable :id'])
  })
})

describe('variables', () => {
  test('whose names become the same key are two', async () => {
    const variable = [
      { key: 'base-url', value: `http://${receiver.host}` },
      { key: 'base_url', value: 'b' },
      { key: 'Base.url', value: 'c', disabled: true },
    ]
    const imported = importItem({ request: { url: '{{base-url}}/{{base_url}}/{{base url}}' } }, { variable })
    expect(imported.project?.variables).toEqual({
      base_url: { type: 'variable', value: `http://${receiver.host}` },
      base_url_2: { type: 'variable', value: 'b' },
      base_url_3: { type: 'variable' },
    })
    const values = { base_url: `http://${receiver.host}`, base_url_2: 'b', base_url_3: 'c' }
    expect((await sentBy(imported, values))?.url).toBe('/b/c')
  })

  test('that are secrets have a note', () => {
    const variable = [{ key: 'pin', value: '1234', type: 'secret' }]
    expect(importItem({ request: { url: '{{pin}}.example.com' } }, { variable }).notes).toEqual([
      'the value of the variable pin',
    ])
  })
})

describe('the body', () => {
  const raw = (text: string, language?: string) => ({
    mode: 'raw',
    raw: text,
    ...(language && { options: { raw: { language } } }),
  })
  const urlencoded = [
    { key: 'a', value: '1' },
    { key: 'a', value: '{{two}} &' },
    { key: 'b', value: '3', disabled: true },
  ]

  test.each([
    [
      raw('{"id": {{two}}, "n": 12345678901234567890}', 'json'),
      '{"id": 2, "n": 12345678901234567890}',
      'application/json',
    ],
    [raw('{"{{two}}": 1}', 'json'), '{"2": 1}', 'application/json'],
    [raw('"one"', 'json'), '"one"', 'application/json'],
    [raw('<a>{{two}}</a>', 'xml'), '<a>2</a>', 'application/xml'],
    [raw('plain'), 'plain', 'text/plain'],
    [{ mode: 'urlencoded', urlencoded }, 'a=1&a=2%20%26', 'application/x-www-form-urlencoded'],
    [
      { mode: 'graphql', graphql: { query: '{ me }', variables: '{"n": {{two}}}' } },
      '{"query":"{ me }","variables":{"n": 2}}',
      'application/json',
    ],
  ])('%j', async (body, text, type) => {
    const sent = await sentBy(requestTo({ method: 'POST', body }), { two: '2' })
    expect([sent?.body, sent?.headers['content-type']]).toEqual([text, type])
  })

  test('is not sent when it is switched off, nor with GET', async () => {
    const body = raw('x')
    expect((await sentBy(requestTo({ method: 'POST', body: { ...body, disabled: true } })))?.body).toBe('')
    expect((await sentBy(requestTo({ body })))?.body).toBe('')
    const behavior = { protocolProfileBehavior: { disableBodyPruning: true } }
    const request = { url: `http://${receiver.host}/`, body }
    expect((await sentBy(importItem({ request, ...behavior })))?.body).toBe('x')
  })

  test.each([['POST'], ['PUT'], ['PATCH'], ['DELETE']])('%s is imported switched off', (method) => {
    const { service, notes } = requestTo({ method })
    expect([service?.file.isActive, notes]).toEqual([false, ['the schedule']])
  })
})

test('a key in the query or in a header of any name is a secret', async () => {
  const apikey = (place: string) => ({
    auth: { type: 'apikey', apikey: { key: 'who', value: 'abc', in: place } },
  })
  const query = requestTo(apikey('query'))
  expect(query.service?.script).not.toContain('abc')
  expect((await sentBy(query, {}, { who: 'k' }))?.url).toBe('/a?who=k')
  const header = requestTo(apikey('header'))
  expect(header.service?.script).not.toContain('abc')
  expect((await sentBy(header, {}, { who: 'k' }))?.headers.who).toBe('k')
})

describe('tests', () => {
  test.each<[string[], string[]]>([
    [['pm.response.to.have.status(201);'], ['status: 201']],
    [
      ['// pm.response.to.have.status(500);', '/* pm.response.to.have.status(501) */ pm.response.to.be.ok;'],
      ['status: 200'],
    ],
    [['const url = "http://a.example"; pm.response.to.have.status(202);'], ['status: 202']],
    [
      ['pm.expect(pm.response.code).to.be.oneOf([200, 201]);', 'pm.expect(pm.response.code).to.eql(201)'],
      ['status: 201'],
    ],
    [['tests["ok"] = responseCode.code === 204;'], ['status: 204']],
    [
      ['pm.response.to.be.success', 'pm.expect(pm.response.responseTime).to.be.below(300)'],
      ['    this.status gte 200,\n    this.status lte 299,', 'this.responseTime lt 300'],
    ],
    [
      [
        'pm.response.to.have.status(200);',
        'var data = JSON.parse(responseBody);',
        "pm.expect(data.a.b).to.equal('x$y');",
        'pm.expect(data.n).to.eql(1.5);',
        'pm.expect(data.ok).to.be.true;',
        "pm.expect(data).to.have.property('id');",
        'pm.expect(pm.response.json().e).to.exist;',
      ],
      [
        'this.body.a.b eq "x${$s.dollar}y"',
        'this.body.n eq 1.5',
        'this.body.ok eq true',
        'this.body.id neq null',
        'this.body.e neq null',
      ],
    ],
  ])('%j are conditions', (lines, written) => {
    const { script, isActive, notes } = testedBy(...lines)
    for (const line of written) expect(script).toContain(line)
    expect([isActive, notes]).toEqual([true, []])
  })

  test.each([
    ['pm.expect(pm.response.json().length).to.be.above(3);'],
    ['pm.expect(data.items.length).to.eql(3);'],
    ['pm.expect(pm.response.text()).to.include(\'"a":1\');'],
    ["pm.expect(data.a).to.eql('x').and.to.be.a('string');"],
    ["pm.response.to.have.header('X-A');"],
    ['pm.expect(data.a).to.eql(null);'],
    ['pm.expect(data.a).to.be.null;'],
    ['const first = pm.response.json()[0]; pm.expect(first.a).to.eql(1);'],
    ['const inner = JSON.parse(responseBody).inner; pm.expect(inner.a).to.eql(1);'],
    ['pm.response.to.not.have.status(500);'],
  ])('%s cannot be read, so the check is switched off with a note', (line) => {
    const { script, isActive, notes } = testedBy(
      'const data = pm.response.json();',
      'pm.response.to.have.status(200);',
      line,
    )
    expect(script).not.toContain('.assert')
    expect([isActive, notes]).toEqual([false, ['1 assertion of its tests', 'the schedule']])
  })

  test('of the collection and of folders belong to each of their requests', () => {
    const event = [{ listen: 'test', script: { exec: ['pm.expect(pm.response.responseTime).to.be.below(300)'] } }]
    const inner = { name: 'B', event: TESTED, request: { url: 'https://example.com/' } }
    const { service } = importItem({ item: [inner], event: [] }, { event })
    expect(service?.script).toContain('this.responseTime lt 300')
    expect(service?.script).toContain('.expect(status: 200)')
  })

  test('that no status meets switch the check off', () => {
    const { script, isActive, notes } = testedBy('pm.response.to.have.status(200); pm.response.to.have.status(201);')
    expect(script).toContain('.expect(status: 200)')
    expect([isActive, notes]).toEqual([false, ['the statuses of its tests', 'the schedule']])
  })

  test.each([
    ["pm.environment.set('id', pm.response.json().id);"],
    ["pm.collectionVariables.unset('id')"],
    ["postman.setNextRequest('B');"],
    ["pm.execution.setNextRequest('B')"],
    ["pm.sendRequest('https://example.com/', () => {})"],
  ])('%s is a note: later requests would rely on it', (line) => {
    const { isActive, notes } = testedBy('pm.response.to.have.status(200);', line)
    expect([isActive, notes]).toEqual([true, ['what its tests do for other requests']])
  })

  test('are missing, which is a note about the status', () => {
    expect(importItem({ event: [], request: { url: 'https://example.com/' } }).notes).toEqual(['the status'])
  })
})

test('redirects and certificates are as the request has them', () => {
  const protocolProfileBehavior = { followRedirects: false, strictSSL: false, maxRedirects: 30 }
  const { service, notes } = importItem({ protocolProfileBehavior, request: { url: 'https://example.com/' } })
  expect(service?.script).toContain('redirects: { follow: false }')
  expect(service?.script).toContain('rejectInvalidCerts: false')
  expect(notes).toEqual(['the maximum of 30 redirects'])
})
