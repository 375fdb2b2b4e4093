import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import type { Parameter } from '#server/rest/document-types.ts'
import { BASE_PATH, createRouteTable } from '#server/rest/route.ts'
import { appRouter } from '#server/router.ts'
import { AGENT_SLUG_EXAMPLE } from '#server/schemas/agents.ts'
import { testApi } from '#test/support/api/api.ts'
import { contract } from '#test/support/api/contract.ts'
import { createExampleWorld } from '#test/support/api/example-world.ts'
import { isOfOperation, trafficOf } from '#test/support/statements.ts'

// Each read of the public API with the ids of existing resources: how many statements it sends after admission, and how
// many times it waits for the database. server/rest/statements.md shows the table.

/** Reads that send more than one statement, or a list more than two, and why. */
const MORE: Record<string, string> = {
  getAgentHealth: 'the agent, then its processes',
  getBatch: "its runs, whose partitions the runs' ids tell",
  getServiceStatistics: 'runs and endpoints, which two connections read at once',
}

const api = testApi()
let agent: { id: string }
beforeAll(async () => {
  agent = await api.create.agent({ slug: AGENT_SLUG_EXAMPLE })
  // A statement that waits until its connection is open is sent after the answer to the one it was to be sent with.
  await Promise.all(Array.from({ length: 5 }, () => api.db.execute('select pg_sleep(0.1)')))
})

const reads = Object.entries(contract().document.paths).flatMap(([path, { get }]) =>
  get ? [{ path: path.slice(BASE_PATH.length), name: get.operationId, parameters: get.parameters ?? [] }] : [],
)
const lists = new Set(
  createRouteTable(appRouter)
    .routes.filter(({ isList }) => isList)
    .map(({ operationId }) => operationId),
)
const lines = new Map<string, string>()

test.each(reads)('$name', async ({ path, name, parameters }) => {
  const { token, ids } = await createExampleWorld(api, agent, path)
  const put = (example: unknown) =>
    [...ids].reduce((text, [from, to]) => text.replaceAll(from, to), String(example ?? ''))
  const inPath = (wanted: string) => parameters.find((each) => each.in === 'path' && each.name === wanted)
  const required = parameters.filter((each: Parameter) => each.in === 'query' && each.required)
  const read = async () => {
    const at = path.replace(/\{(\w+)\}/g, (_, wanted: string) => put(inPath(wanted)?.example))
    const query = Object.fromEntries(required.map((each) => [each.name, put(each.example)]))
    expect((await api.call(token, 'GET', at, { query })).status).toBeLessThan(300)
  }
  const { statements, roundTrips } = await trafficOf(read, isOfOperation)
  const reason = MORE[name] ?? ''
  lines.set(name, `| \`GET ${path}\` | ${statements.length} | ${roundTrips} | ${reason} |`)
  const allowed = lists.has(name) ? 2 : 1
  if (reason === '') expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(allowed)
  else expect(statements.length).toBeGreaterThan(1)
})

test('the table beside the facade is this one', () => {
  const head =
    '| Read | Statements | Round trips | Why more than one, or than two for a list |\n| --- | --- | --- | --- |'
  const shown = readFileSync(`${ROOT}/server/rest/statements.md`, 'utf8')
  expect(shown).toContain([head, ...reads.map(({ name }) => lines.get(name))].join('\n'))
})
