import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { results, runDays, runHours } from '#db/schema/results.ts'
import { DAY_MS } from '#server/durations.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { createResult, setState } from '#test/support/runs/results.ts'

const NOW = new Date('2026-11-20T12:30:00Z')
const api = testApi({ now: () => NOW, settings: { RESULT_RETENTION_DAYS: '90' } })
const tree = testTree(api)

type Service = Awaited<ReturnType<typeof api.create.service>>

async function lastPassing(service: Pick<Service, 'id'>, resultId: string, member = tree.organization.owner) {
  const caller = await api.caller(member)
  return (await caller.results.lastPassing({ id: service.id, resultId })).result
}

function run(service: Service, startedAt: string, status: 'success' | 'failure' = 'failure') {
  return createResult(api.db, service, { startedAt: new Date(startedAt), status })
}

describe('results.lastPassing', () => {
  test('is the last success before the result, on the same day or an earlier one', async () => {
    const service = await api.create.service(tree.project)
    await run(await api.create.service(tree.project), '2026-11-20T09:59:00Z', 'success')
    const first = await run(service, '2026-11-01T10:00:00Z')
    const early = await run(service, '2026-11-03T08:00:00Z', 'success')
    const late = await run(service, '2026-11-03T23:59:59.999Z', 'success')
    const failure = await run(service, '2026-11-20T10:00:00Z')
    const next = await run(service, '2026-11-20T10:00:00.001Z', 'success')
    const after = await run(service, '2026-11-20T10:01:00Z')
    expect(await lastPassing(service, first.id)).toBeNull()
    expect(await lastPassing(service, early.id)).toBeNull()
    expect(await lastPassing(service, late.id)).toEqual({ id: early.id, startedAt: '2026-11-03T08:00:00.000Z' })
    expect(await lastPassing(service, failure.id)).toEqual({ id: late.id, startedAt: '2026-11-03T23:59:59.999Z' })
    expect(await lastPassing(service, after.id)).toMatchObject({ id: next.id })
  })

  test('is found on a day whose hours are folded, and not beyond the retention', async () => {
    const service = await api.create.service(tree.project)
    const passing = await run(service, '2026-11-05T10:00:00Z', 'success')
    await api.db.delete(runHours).where(eq(runHours.serviceId, service.id))
    const zeros = Array<number>(24).fill(0)
    const day = new Date('2026-11-05T00:00:00Z')
    const { organizationId, agentSlug } = passing
    const counts = { runs: 1, success: 1, runsByHour: zeros, failedByHour: zeros }
    await api.db.insert(runDays).values({ organizationId, serviceId: service.id, day, agentSlug, ...counts })
    await setState(api.db, service, { foldedUntil: new Date('2026-11-20T00:00:00Z') })
    const failure = await run(service, '2026-11-20T10:00:00Z')
    expect(await lastPassing(service, failure.id)).toMatchObject({ id: passing.id })

    const old = await api.create.service(tree.project)
    const midnight = Date.UTC(2026, 10, 20) - 90 * DAY_MS
    await run(old, new Date(midnight - 1).toISOString(), 'success')
    const kept = await run(old, new Date(midnight).toISOString())
    expect(await lastPassing(old, kept.id)).toBeNull()
  })

  test('is null when the counted success is not stored any more', async () => {
    const service = await api.create.service(tree.project)
    const passing = await run(service, '2026-11-05T10:00:00Z', 'success')
    await api.db.delete(results).where(eq(results.id, passing.id))
    const failure = await run(service, '2026-11-20T10:00:00Z')
    expect(await lastPassing(service, failure.id)).toBeNull()
  })

  test('refuses an unknown result, and a service out of reach', async () => {
    const service = await api.create.service(tree.project)
    const failure = await run(service, '2026-11-20T10:00:00Z')
    await expect(lastPassing(service, randomUUID())).rejects.toMatchObject({ api: 'not_found' })
    const blind = await api.create.member(tree.organization)
    await expect(lastPassing(service, failure.id, blind)).rejects.toMatchObject({ api: 'not_found' })
  })
})
