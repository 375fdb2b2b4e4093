import { beforeAll, expect, test } from 'vitest'
import type { Parameter } from '#server/fronts/rest/document-types.ts'
import { BASE_PATH } from '#server/fronts/rest/route.ts'
import { AGENT_SLUG_EXAMPLE } from '#server/schemas/agents.ts'
import { testApi } from '#test/support/api/api.ts'
import { contract } from '#test/support/api/contract.ts'
import { createExampleWorld, type ExampleWorld } from '#test/support/api/example-world.ts'

// The program accepts every example of the document, with the ids of existing resources in place of its ids. Each
// response is checked against the document by `api.call`.

const api = testApi()
let agent: { id: string }

beforeAll(async () => {
  agent = await api.create.agent({ slug: AGENT_SLUG_EXAMPLE })
})

const operations = Object.entries(contract().document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: operation.operationId,
    method: method.toUpperCase(),
    path: path.slice(BASE_PATH.length),
    parameters: operation.parameters ?? [],
    body: operation.requestBody?.content['application/json'].example,
  })),
)

test.each(operations)('$name', async ({ method, path, parameters, body }) => {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const optional = parameters.filter((parameter) => parameter.in !== 'path' && !parameter.required)
  // Some filters exclude each other, so each optional parameter of a read has a request of its own.
  const isSplit = method === 'GET' && optional.length > 0
  const extras = isSplit ? optional.map((parameter) => [parameter]) : [optional]
  for (const extra of extras) {
    const { token, ids } = await worldOf(method, path)
    const put = (value: unknown) => JSON.parse(withIds(JSON.stringify(value), ids))
    const inPath = (name: string) => parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)
    const given = [...required, ...extra]
    const answer = await api.call(
      token,
      method,
      path.replace(/\{(\w+)\}/g, (_, name) => put(inPath(name)?.example)),
      {
        ...(body === undefined ? {} : { body: put(body) }),
        query: Object.fromEntries(
          given.filter((each) => each.in === 'query').map((each) => [each.name, put(sentValue(each))]),
        ),
        headers: Object.fromEntries(
          given.filter((each) => each.in === 'header').map((each) => [each.name, sentValue(each)]),
        ),
      },
    )
    const names = extra.map(({ name }) => name)
    expect([names, answer.status < 300 ? 'accepted' : answer.body]).toEqual([names, 'accepted'])
  }
})

/** The worlds of operations that leave each other what they need, by the first part of the path. */
const shared = new Map<string, ExampleWorld>()

/** What creates, deletes or depends on a version has a world of its own. */
async function worldOf(method: string, path: string): Promise<ExampleWorld> {
  if (method === 'POST' || method === 'DELETE' || path.endsWith('/script')) return createExampleWorld(api, agent, path)
  const place = path.split('/')[1] ?? ''
  const world = shared.get(place) ?? (await createExampleWorld(api, agent, path))
  shared.set(place, world)
  return world
}

/** Nothing here runs, so that a request that waits would take its whole time. */
function sentValue({ name, example }: Parameter): string {
  return name === 'wait' ? '0' : String(example)
}

function withIds(text: string, ids: ReadonlyMap<string, string>): string {
  return [...ids].reduce((changed, [example, id]) => changed.replaceAll(example, id), text)
}
