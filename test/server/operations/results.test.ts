import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { services } from '#db/schema/resources.ts'
import { DAY_MS } from '#server/durations.ts'
import type { Page } from '#server/paging.ts'
import type { Result, ResultSummary } from '#server/schemas/results/results.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { createResult, createStore, forgetStore, step } from '#test/support/runs/results.ts'

const NOW = new Date('2026-11-20T12:30:00Z')
const api = testApi({ now: () => NOW, settings: { RESULT_RETENTION_DAYS: '90', BODY_RETENTION_DAYS: '30' } })
const tree = testTree(api)

type ServiceRow = typeof services.$inferSelect

function list(service: Pick<ServiceRow, 'id'>, query: Record<string, string | number> = {}, key = tree.owner) {
  return api.call<Page<ResultSummary>>(key, 'GET', `/services/${service.id}/results`, { query })
}

function get(serviceId: string, resultId: string, key = tree.owner) {
  return api.call<Result>(key, 'GET', `/services/${serviceId}/results/${resultId}`)
}

const ago = (ms: number) => new Date(NOW.getTime() - ms)

describe('GET /services/{id}/results', () => {
  test('200 newest first by start, then id, in pages', async () => {
    const service = await api.create.service(tree.project)
    const made = []
    for (const ms of [5_000, 90_000_000, 1_000, 5_000, 0, 5_000]) {
      made.push(await createResult(api.db, service, { startedAt: ago(ms), agentSlug: 'paris' }))
    }
    await createResult(api.db, await api.create.service(tree.project), { startedAt: NOW })
    const expected = made
      .toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime() || (a.id < b.id ? 1 : -1))
      .map((row) => row.id)
    const { status, body } = await list(service)
    expect(status).toBe(200)
    expect(body.items.map((item) => item.id)).toEqual(expected)
    expect(body).toMatchObject({ total: 6, page: 1, pageSize: 50 })
    expect(body.items[0]).toEqual({
      id: expected[0],
      status: 'success',
      runDurationMs: 120,
      totalResponseMs: 100,
      startedAt: NOW.toISOString(),
      agentSlug: 'paris',
      summary: null,
      scriptVersion: null,
      runId: null,
      recheckOf: null,
      recheckedBy: null,
    })
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(service, { page, pageSize: 2 })))
    expect(pages.flatMap((answer) => answer.body.items.map((item) => item.id))).toEqual(expected)
    for (const { body: page } of pages) expect(page).toMatchObject({ total: 6, pageSize: 2 })
  })

  test('200 an empty page before the first run', async () => {
    const { body } = await list(await api.create.service(tree.project))
    expect(body).toEqual({ items: [], total: 0, page: 1, pageSize: 50 })
  })

  test('200 since is taken to the second and includes it, whatever its offset', async () => {
    const service = await api.create.service(tree.project)
    const [late, same, early] = [
      await createResult(api.db, service, { startedAt: new Date('2026-11-20T12:00:05.900Z') }),
      await createResult(api.db, service, { startedAt: new Date('2026-11-20T12:00:05.000Z') }),
      await createResult(api.db, service, { startedAt: new Date('2026-11-20T12:00:04.999Z') }),
    ]
    const idsSince = async (since: string) => (await list(service, { since })).body.items.map((item) => item.id)
    expect(await idsSince('2026-11-20T12:00:05Z')).toEqual([late.id, same.id])
    expect(await idsSince('2026-11-20T12:00:05.999Z')).toEqual([late.id, same.id])
    expect(await idsSince('2026-11-20T12:00:04.999Z')).toEqual([late.id, same.id, early.id])
    expect(await idsSince('2026-11-20T12:00:06Z')).toEqual([])
    expect(await idsSince('2026-11-20T13:00:05+01:00')).toEqual([late.id, same.id])
    expect(await idsSince('2026-11-20T11:30:05-00:30')).toEqual([late.id, same.id])
    expect(await idsSince('0001-01-01T00:00:00Z')).toHaveLength(3)
    // Every form of ISO-8601 with a time of day: without seconds or minutes, basic, and in lower case.
    for (const since of [
      ...['2026-11-20T12:00Z', '2026-11-20T12Z', '20261120T120004Z', '20261120T1200Z', '2026-11-20t12:00:04.5z'],
      ...['20261120T130004+0100', '2026-11-20T13:00:04+01', '20261120', '2026-11-20T12:00:04,999Z'],
      // An unencoded plus sign arrives as a space.
      ...['2026-11-20T13:00 01:00', '20261120T1300 0100'],
    ]) {
      expect({ since, ids: await idsSince(since) }).toEqual({ since, ids: [late.id, same.id, early.id] })
    }
    expect(await idsSince('20261120T120005Z')).toEqual([late.id, same.id])
    // A date means its midnight in UTC.
    expect(await idsSince('2026-11-20')).toHaveLength(3)
    expect(await idsSince('2026-11-21')).toEqual([])
    expect(await idsSince('9999-12-31T23:59:59Z')).toEqual([])
    const { body } = await list(service, { since: '2026-11-20T12:00:05Z', pageSize: 1 })
    expect(body).toMatchObject({ items: [{ id: late.id }], total: 2 })
    // An unencoded plus sign arrives as a space.
    const raw = await api.call<Page<ResultSummary>>(tree.owner, 'GET', `/services/${service.id}/results`, {
      query: 'since=2026-11-20T13:00:05+01:00',
    })
    expect(raw.body.total).toBe(2)
  })

  test('200 until includes it, and leads on to what no page reaches', async () => {
    const service = await api.create.service(tree.project)
    const made = []
    for (const at of [
      ...[
        '2026-11-18T23:59:59.999Z',
        '2026-11-19T00:00:00.000Z',
        '2026-11-19T10:59:59.999Z',
        '2026-11-19T11:00:00.000Z',
      ],
      ...['2026-11-19T11:20:00.000Z', '2026-11-19T11:20:00.001Z', '2026-11-20T12:00:00.000Z'],
    ]) {
      made.unshift(await createResult(api.db, service, { startedAt: new Date(at) }))
    }
    const starts = made.map((row) => row.startedAt.getTime())
    const bounds = [...starts, ...starts.map((ms) => ms + 1), Date.parse('2026-11-19T11:10:00Z'), starts.at(-1)! - 1]
    for (const until of bounds) {
      for (const since of [null, ...bounds.filter((_, i) => i % 3 === 0)]) {
        // `since` is rounded down to the second.
        const from = since === null ? 0 : Math.floor(since / 1_000) * 1_000
        const expected = made.filter(({ startedAt }) => startedAt.getTime() <= until && startedAt.getTime() >= from)
        const iso = (ms: number) => new Date(ms).toISOString()
        const { body } = await list(service, { until: iso(until), ...(since === null ? {} : { since: iso(since) }) })
        expect({ until: iso(until), since, ids: body.items.map((item) => item.id), total: body.total }).toEqual({
          ...{ until: iso(until), since, ids: expected.map((row) => row.id), total: expected.length },
        })
      }
    }
    const second = await list(service, { until: '2026-11-19T23:00:00Z', pageSize: 2, page: 2 })
    expect(second.body.items.map((item) => item.id)).toEqual(made.slice(3, 5).map((row) => row.id))
  })

  test('200 shows the whole days of the retention, and nothing older', async () => {
    const service = await api.create.service(tree.project)
    const midnight = Date.UTC(2026, 10, 20)
    const kept = await createResult(api.db, service, { startedAt: new Date(midnight - 90 * DAY_MS) })
    const dropped = await createResult(api.db, service, { startedAt: new Date(midnight - 90 * DAY_MS - 1) })
    expect((await list(service)).body).toMatchObject({ items: [{ id: kept.id }], total: 1 })
    expect((await get(service.id, kept.id)).status).toBe(200)
    expect((await get(service.id, dropped.id)).status).toBe(404)
  })

  test('400 field_invalid for a since that is no time', async () => {
    const service = await api.create.service(tree.project)
    for (const since of ['yesterday', '', '1700000000', '2026-13-01', '2026-13-01T00:00:00Z', '2026-11-20T12:00:00']) {
      const { status, body } = await list(service, { since })
      expect({ since, status, body }).toMatchObject({
        status: 400,
        body: { error: 'field_invalid', details: { field: 'since' } },
      })
    }
    for (const since of ['2026-W47-5', '2026-324', '2026-1120', '2026-11']) {
      const reason = 'must be an ISO-8601 time such as 2026-01-31T09:30:00Z, or a date'
      expect((await list(service, { since })).body, since).toMatchObject({ details: { field: 'since', reason } })
    }
    expect((await list(service, { until: '2026-11-20T12:00' })).body).toMatchObject({
      details: { field: 'until', reason: 'must have a time zone, such as Z or +02:00' },
    })
  })

  test('400 field_invalid for filters, sorters and pages out of bounds, with the bound', async () => {
    const service = await api.create.service(tree.project)
    for (const [field, value, max] of [
      ['filters', 'x', undefined],
      ['sorters', 'x', undefined],
      ['pageSize', 101, 100],
      ['pageSize', '1e1', 100],
      ['page', 0, 2_000],
      ['page', 2_001, 2_000],
    ] as const) {
      const { body } = await list(service, { [field]: value })
      const details = (body as unknown as { details: object }).details
      expect(body).toMatchObject({ error: 'field_invalid' })
      expect(details).toMatchObject({ field, ...(max ? { max } : {}) })
    }
  })
})

describe('GET /services/{id}/results/{resultId}', () => {
  test('200 with every step', async () => {
    const service = await api.create.service(tree.project)
    const storeId = await createStore(api.db, 'file:///nowhere')
    const bodyAt = { storeId, key: 'a/b', bytes: 2, contentType: 'text/plain' }
    const assertion = {
      method: 'expect',
      scope: 'status',
      op: 'eq',
      outcome: 'passed',
      actual: 200,
      expected: 200,
      options: null,
    }
    const steps = [
      step({ body: bodyAt, bodyNotStoredReason: null, assertionResults: [assertion] }),
      step({
        stepNum: 2,
        outcome: 'failure',
        statusCode: null,
        responseTimeMs: null,
        error: 'connection refused',
        headers: {},
        bodyNotStoredReason: 'no_body',
      }),
      step({
        stepNum: 3,
        requestUrl: null,
        waitMs: 250,
        method: 'POST',
        template: 'https://status.example.com/$id',
        outcome: 'skipped',
        bodyNotStoredReason: 'no_body',
      }),
    ]
    const raw = { outcome: 'failure', calls: [{ response: { status: 200, bodyPath: null } }] }
    // Fields that the language's format does not have are added next to it.
    const row = await createResult(api.db, service, { startedAt: ago(1_234), status: 'failure', raw, steps })
    const { status, body } = await get(service.id, row.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: row.id,
      serviceId: service.id,
      status: 'failure',
      runDurationMs: 120,
      startedAt: ago(1_234).toISOString(),
      probeAgentId: row.agentId,
      agentSlug: 'local',
      error: 'connection refused',
      rawResult: raw,
      failure: {
        summary: 'GET https://status.example.com/health: connection refused',
        cause: 'connection refused',
        status: 'failure',
        step: { stepNum: 2, method: 'GET', url: 'https://status.example.com/health', statusCode: null },
        assertion: null,
        error: 'connection refused',
        phase: null,
        moreFailed: 0,
        excerpt: null,
      },
    })
    // Written out, not derived from the fixture: every field of the stored step must arrive under its own name.
    expect(body.steps[0]).toEqual({
      id: steps[0]?.id,
      stepNum: 1,
      method: 'GET',
      urlTemplate: 'https://status.example.com/health',
      outcome: 'success',
      requestUrl: 'https://status.example.com/health',
      statusCode: 200,
      responseTimeMs: 100,
      dnsMs: 5,
      connectMs: 10,
      tlsMs: 20,
      ttfbMs: 60,
      transferMs: 5,
      waitMs: 0,
      responseSizeBytes: 2,
      error: null,
      assertionResults: [assertion],
      headers: { 'content-type': 'text/plain' },
      hasBody: true,
      bodyNotStoredReason: null,
      traceId: null,
    })
    expect(body.steps.slice(1)).toMatchObject([
      { stepNum: 2, error: 'connection refused', statusCode: null, hasBody: false, bodyNotStoredReason: 'no_body' },
      {
        ...{ stepNum: 3, method: 'POST', urlTemplate: 'https://status.example.com/$id', outcome: 'skipped' },
        ...{ requestUrl: null, hasBody: false, waitMs: 250 },
      },
    ])
    expect(JSON.stringify(body)).not.toContain('a/b')
  })

  test('200 a skipped run has no raw result and no steps', async () => {
    const service = await api.create.service(tree.project)
    const row = await createResult(api.db, service, { startedAt: NOW, status: 'skipped', raw: null, callCount: 0 })
    expect((await get(service.id, row.id)).body).toMatchObject({
      ...{ status: 'skipped', rawResult: null, steps: [], error: null, failure: null },
    })
  })

  test('200 the failure has the first failed assertion, and an excerpt as long as bodies are kept', async () => {
    const service = await api.create.service(tree.project)
    const failed = { method: 'expect', scope: 'status', op: 'eq', outcome: 'failed', actual: 500, expected: 200 }
    const steps = [step({ outcome: 'failure', statusCode: 500, assertionResults: [failed, failed], excerpt: 'Oops' })]
    const failureAt = async (startedAt: Date) => {
      const row = await createResult(api.db, service, { startedAt, status: 'failure', steps })
      return (await get(service.id, row.id)).body.failure
    }
    const { outcome: _, ...assertion } = failed
    expect(await failureAt(NOW)).toEqual({
      summary: 'GET https://status.example.com/health: status 500, expected 200 (1 more failed)',
      cause: 'status 500, expected 200',
      status: 'failure',
      step: { stepNum: 1, method: 'GET', url: 'https://status.example.com/health', statusCode: 500 },
      assertion: { ...assertion, stepNum: 1 },
      error: null,
      phase: null,
      moreFailed: 1,
      excerpt: 'Oops',
    })
    expect(await failureAt(ago(31 * DAY_MS))).toMatchObject({ moreFailed: 1, excerpt: null })
    const waiting = step({ outcome: 'timeout', error: 'no complete response', timeoutPhase: 'ttfb' })
    const row = await createResult(api.db, service, { startedAt: ago(1), status: 'timeout', steps: [waiting] })
    expect((await get(service.id, row.id)).body.failure).toMatchObject({ status: 'timeout', phase: 'ttfb' })
  })

  test('200 says why a body is stored no more', async () => {
    const service = await api.create.service(tree.project)
    const forgotten = await createStore(api.db, 'file:///forgotten')
    await forgetStore(api.db, service.organizationId, forgotten, NOW)
    const kept = await createStore(api.db, 'file:///kept')
    const within = (storeId: string) =>
      step({ body: { storeId, key: 'k', bytes: 1, contentType: null }, bodyNotStoredReason: null })
    const steps = [within(forgotten), within(randomUUID()), within(kept)]
    const reasons = async (startedAt: Date) => {
      const row = await createResult(api.db, service, { startedAt, steps })
      return (await get(service.id, row.id)).body.steps.map((each) => [each.hasBody, each.bodyNotStoredReason])
    }
    expect(await reasons(ago(60_000))).toEqual([
      [false, 'store_forgotten'],
      [false, 'store_forgotten'],
      [true, null],
    ])
    const midnight = Date.UTC(2026, 10, 20)
    expect((await reasons(new Date(midnight - 30 * DAY_MS)))[2]).toEqual([true, null])
    expect(await reasons(new Date(midnight - 30 * DAY_MS - 1))).toEqual(Array(3).fill([false, 'expired']))
  })

  test('404 for an unknown id, an id of another kind, under another service, and out of reach', async () => {
    const [service, other] = [await api.create.service(tree.project), await api.create.service(tree.project)]
    const row = await createResult(api.db, service, { startedAt: NOW })
    expect((await get(service.id, row.id)).status).toBe(200)
    const blind = await api.create.key(await api.create.member(tree.organization))
    const answers = [
      await get(service.id, randomUUID()),
      await get(service.id, '00000000-0000-0000-0000-000000000001'),
      await get(
        service.id,
        row.id.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
      await get(service.id, 'ffffffff-ffff-7fff-bfff-ffffffffffff'),
      await get(other.id, row.id),
      await get(service.id, row.id, blind),
    ]
    expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(404))
  })
})
