import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseScript } from '#server/language/lace/parser.ts'
import { printScript } from '#server/language/lace/print/print.ts'
import type { AssertionRecord } from '#server/language/lace/result.ts'
import { validateScript } from '#server/language/lace/validator.ts'
import { type Answer, run, startTarget } from './server.ts'

const SCOPES = ['o', 'w', 'p', 's']
const DIRECTORY = new URL('examples/', import.meta.url)
const examples = globSync('*.lace', { cwd: DIRECTORY.pathname })
  .sort()
  .map((file) => ({ file, source: readFileSync(new URL(file, DIRECTORY), 'utf8') }))

const ORDERS = [
  { id: 1, shipping: 'express' },
  { id: 2, shipping: 'letter' },
  { id: 3, shipping: 'letter' },
]

/** The HTTP service that the examples probe. */
const service: Answer = (request, response) => {
  const url = new URL(request.url!, 'http://service')
  const text = (status: number, body: string, headers = {}) =>
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body)
  const json = (status: number, body: object, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /health':
      return json(200, { status: 'ok' })
    case 'GET /robots.txt':
      return text(200, 'User-agent: *')
    case 'GET /orders':
      return json(200, { items: ORDERS.slice(0, Number(url.searchParams.get('limit'))), total: 3 })
    case 'POST /login':
      return JSON.parse(request.body).password === 'correct horse' ? json(200, { token: 't-1' }) : json(401, {})
    case 'GET /me':
      return request.headers.authorization === 'Bearer t-1' ? json(200, { email: 'probe@example.com' }) : json(401, {})
    case 'POST /cart':
      return text(201, '', { 'set-cookie': `cart=${new URLSearchParams(request.body).get('item')}; Path=/` })
    case 'GET /cart':
      return text(200, request.headers.cookie === 'cart=book' ? '1 book' : 'empty')
    case 'GET /old':
      return response.writeHead(301, { location: '/new' }).end()
    case 'GET /new':
      return text(200, 'here')
    case 'GET /users/7':
      return json(200, { id: 7, name: 'Ada' })
    case 'POST /jobs':
      return json(202, { id: 'j-1' })
    case 'GET /jobs/j-1/state':
      return text(200, 'done')
  }
  return text(404, '')
}

function variables(base: string) {
  const properties = { id: { type: 'integer' }, name: { type: 'string' } }
  const userSchema = JSON.stringify({ type: 'object', properties, required: ['id', 'name'] })
  return { o: {}, w: { name: 'Acme' }, p: {}, s: { base, password: 'correct horse', userSchema, lastTotal: 3 } }
}

/** Returns whether an assertion is a soft limit on time, which may fail on a busy machine. */
function dependsOnClock(assertion: AssertionRecord): boolean {
  if (assertion.method === 'assert') return assertion.kind === 'check' && assertion.expression.includes('responseTime')
  return assertion.method === 'check' && assertion.op === 'lt'
}

test('there are ten examples', () => expect(examples).toHaveLength(10))

describe.each(examples)('$file', ({ source }) => {
  test('runs, and all its assertions pass', async () => {
    await using target = await startTarget(service)
    const result = await run(source, { scopes: SCOPES, variables: variables(target.url), prev: { outcome: 'success' } })
    expect(result).not.toHaveProperty('error')
    const assertions = result.calls.flatMap((call) => call.assertions)
    expect(assertions.filter((one) => one.outcome !== 'passed' && !dependsOnClock(one))).toEqual([])
    expect(result.calls.map((call) => [call.outcome, call.error, call.warnings])).toEqual(
      result.calls.map(() => ['success', null, []]),
    )
    expect(result.outcome).toBe('success')
  })

  test('fails when the service is broken', async () => {
    await using target = await startTarget((_, response) => response.writeHead(500).end('broken'))
    const result = await run(source, { scopes: SCOPES, variables: variables(target.url) })
    expect(result.outcome).toBe('failure')
  })

  test('can be printed and parsed again', () => {
    const { ast } = parseScript(source, { scopes: SCOPES })
    expect(parseScript(printScript(ast!), { scopes: SCOPES }).ast).toEqual(ast)
  })

  test('does not validate when its variables are not registered', () => {
    const { errors } = validateScript(source, { scopes: SCOPES, variables: {} })
    expect(errors.map((error) => error.code)).toContain('VARIABLE_UNKNOWN')
  })
})

test('an assertion on a written-back value is indeterminate in the first run', async () => {
  await using target = await startTarget(service)
  const scoped = { ...variables(target.url), s: { base: target.url } }
  const { source } = examples.find((one) => one.file.startsWith('10'))!
  const result = await run(source, { scopes: SCOPES, variables: scoped })
  expect(result).toMatchObject({ outcome: 'success', actions: { variables: { lastTotal: 3 } } })
  expect(result.calls[0]!.assertions[1]).toMatchObject({ outcome: 'indeterminate', actualRhs: null })
})
