import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { testApi } from '#test/support/api/api.ts'
import { createFixture, type Fixture } from '#test/support/api/fuzz-fixture.ts'
import { draft, makeRequest, operations } from '#test/support/api/fuzz-requests.ts'
import { SEED } from '#test/support/seed.ts'

// Requests generated from the document: valid ones, ones with one fault, and random ones. `call` checks that the document
// describes every response, and that no response is a failure of the server.

/** About ten requests per operation. `FUZZ=20000` runs the test in full. */
const RUNS = Number(process.env.FUZZ ?? 1_000)

const api = testApi()
let fixture: Fixture
beforeAll(async () => {
  fixture = await createFixture(api)
})

test(`${RUNS} requests generated from the document all get documented responses`, { timeout: RUNS * 400 }, async () => {
  const statuses = new Map<number, number>()
  const succeeded = new Set<string>()
  await fc.assert(
    fc.asyncProperty(draft, async (drafted) => {
      const { token, method, path, options, operation } = makeRequest(drafted, fixture)
      const { status } = await api.call(token, method, path, options)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status < 300 && drafted.method === null) succeeded.add(operation.operationId)
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  )
  // A test that gets only refusals would prove little.
  expect(statuses.get(200)).toBeGreaterThan(RUNS / 4)
  for (const status of [204, 400, 401, 403, 404, 405, 409]) expect(statuses.get(status)).toBeGreaterThan(0)
  // So few requests leave some operations without a valid one; `document-examples.test.ts` has one for each.
  expect(succeeded.size).toBeGreaterThan(operations.length * 0.8)
})
