import { beforeAll, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { apiKeys } from '#db/schema/credentials.ts'
import { groupMembers, memberships } from '#db/schema/organizations.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Key, Member, Tree } from '#test/support/factories.ts'
import { SCRIPT } from '#test/support/runs/scripts.ts'
import { until } from '#test/support/runs/worker-processes.ts'

// A request that waits for a run is answered for the key and the member as they are when the wait ends.

const api = testApi()

type Waiting = { organization: Tree['organization']; owner: Key; member: Member; key: Key; serviceId: string }

beforeAll(async () => {
  await api.create.agent()
})

async function makeWaiting(): Promise<Waiting & { projectId: string }> {
  const { organization, owner, project } = await api.create.tree()
  const body = { projectId: project.id, name: 'Checkout', script: SCRIPT }
  const { body: service } = await api.call<{ id: string }>(owner, 'POST', '/services', { body })
  const member = await api.create.member(organization, { sections: { workspaces: 'write' } })
  const key = await api.create.key(member)
  return { organization, owner, member, key, serviceId: service.id, projectId: project.id }
}

const cancelRuns = async ({ owner, serviceId }: Waiting) => {
  const path = `/services/${serviceId}/runs`
  const { body } = await api.call<{ items: { id: string; state: string }[] }>(owner, 'GET', path)
  for (const { id, state } of body.items) if (state !== 'done') await api.call(owner, 'DELETE', `${path}/${id}`)
}

const ENDS = {
  api_key_revoked: ({ key }: Waiting) =>
    api.db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, key.id)),
  api_key_expired: ({ key }: Waiting) =>
    api.db
      .update(apiKeys)
      .set({ expiresAt: new Date(0) })
      .where(eq(apiKeys.id, key.id)),
  api_key_owner_inactive: ({ member }: Waiting) =>
    api.db.update(memberships).set({ isActive: false }).where(eq(memberships.id, member.membershipId)),
  totp_enrollment_required: async ({ organization, member: { membershipId } }: Waiting) => {
    const { id: groupId } = await api.create.group(organization, { requireTotp: true })
    await api.db.insert(groupMembers).values({ organizationId: organization.id, groupId, membershipId })
  },
  not_found: ({ member }: Waiting) =>
    api.db.update(memberships).set({ workspaces: 0 }).where(eq(memberships.id, member.membershipId)),
}

const REQUESTS = {
  'POST /services/{id}/run': ({ key, serviceId }: Waiting) =>
    api.call(key, 'POST', `/services/${serviceId}/run`, { query: { wait: '30' } }),
  'GET /services/{id}/runs/{runId}': async ({ key, serviceId }: Waiting) => {
    const { body } = await api.call(key, 'POST', `/services/${serviceId}/run`)
    return api.call(key, 'GET', `/services/${serviceId}/runs/${body.runId}`, { query: { wait: '30' } })
  },
  'POST /projects/{id}/run': ({ key, projectId }: Waiting & { projectId: string }) =>
    api.call(key, 'POST', `/projects/${projectId}/run`, { query: { wait: '30' } }),
  'GET /batches/{id}': async ({ key, projectId }: Waiting & { projectId: string }) => {
    const { body } = await api.call(key, 'POST', `/projects/${projectId}/run`)
    return api.call(key, 'GET', `/batches/${body.id}`, { query: { wait: '30' } })
  },
}

// The check of the key is one for all requests; each reads what it waited for with the member's rights.
const cases = Object.entries(REQUESTS).flatMap(([name, request], nth) =>
  Object.entries(ENDS)
    .filter(([code]) => nth === 0 || code === 'not_found')
    .map(([code, end]) => ({ name, request, code, end })),
)

test.each(cases)('$name is refused with $code when that is so after the wait', async ({ request, code, end }) => {
  const waiting = await makeWaiting()
  const answer = request(waiting)
  await until('the request that waits', async () => api.runtime.waits.size === 1)
  await end(waiting)
  await cancelRuns(waiting)
  expect((await answer).body).toMatchObject({ error: code })
})

test('a wait costs one request of the key, and its answer has the headers of the first check', async () => {
  const waiting = await makeWaiting()
  const answer = REQUESTS['POST /services/{id}/run'](waiting)
  await until('the request that waits', async () => api.runtime.waits.size === 1)
  await cancelRuns(waiting)
  const { status, body, headers } = await answer
  expect([status, body]).toMatchObject([202, { run: { state: 'done', outcome: 'cancelled' } }])
  const next = await api.call(waiting.key, 'GET', '/key')
  const left = (from: Headers) => Number(from.get('x-ratelimit-remaining'))
  expect([left(headers) - left(next.headers), headers.get('x-ratelimit-limit')]).toEqual([1, expect.any(String)])
})
