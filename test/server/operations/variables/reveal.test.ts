import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '#server/schemas/scopes.ts'
import { failureOf, testApi } from '#test/support/api/api.ts'
import { refusal } from '#test/support/api/denied.ts'
import type { MemberOptions, Organization } from '#test/support/factories.ts'
import { auditOf } from '#test/support/side-effects.ts'

const api = testApi()
let organization: Organization
let ids: Record<Scope, string>

beforeAll(async () => {
  organization = await api.create.organization()
  const workspace = await api.create.workspace(organization)
  const project = await api.create.project(workspace)
  const service = await api.create.service(project)
  ids = { organization: organization.id, workspace: workspace.id, project: project.id, service: service.id }
})

async function callerOf(given: MemberOptions = {}) {
  return api.caller(await api.create.member(organization, given))
}

describe.each(['organization', 'workspace', 'project', 'service'] as const)('variables.reveal of a %s', (scope) => {
  const path = () => (scope === 'organization' ? '/variables' : `/${scope}s/${ids[scope]}/variables`)
  const holding = (level: 1 | 2): MemberOptions =>
    scope === 'organization'
      ? { sections: { settings: level === 1 ? 'read' : 'write' } }
      : { grants: [{ [`${scope}Id`]: ids[scope], level }] }

  async function made(type: string, value = 'https://example.com/ü') {
    const key = await api.create.key(organization.owner)
    const body = { key: `k${randomUUID().slice(0, 8)}`, value, type }
    return (await api.call<{ id: string }>(key, 'POST', path(), { body })).body.id
  }

  test('the value, to members with write access, and an audit entry without it', async () => {
    const id = await made('variable')
    const caller = await callerOf(holding(2))
    expect(await caller.variables.reveal({ scope, resourceId: ids[scope], id })).toEqual({
      value: 'https://example.com/ü',
    })
    const entry = (await auditOf(api.db, id)).at(-1)
    expect(entry).toMatchObject({ action: 'variable.reveal', keyId: null, details: { scope, resourceId: ids[scope] } })
    expect(JSON.stringify(entry)).not.toContain('example.com/')
  })

  test('refused to readers and others, and nothing is written down', async () => {
    const id = await made('variable')
    const code = scope === 'organization' ? 'insufficient_permissions' : 'not_found'
    for (const caller of [await callerOf(holding(1)), await callerOf()]) {
      expect(await failureOf(caller.variables.reveal({ scope, resourceId: ids[scope], id }))).toMatchObject({ code })
    }
    expect((await auditOf(api.db, id)).map((entry) => entry.action)).toEqual(['variable.create'])
  })

  test('field_invalid for a secret and for a metric, not_found under another scope', async () => {
    const owner = await api.caller(organization.owner)
    for (const type of ['secret', 'metric']) {
      const call = owner.variables.reveal({ scope, resourceId: ids[scope], id: await made(type) })
      expect(await failureOf(call)).toMatchObject({ code: 'field_invalid', details: { field: 'id' } })
    }
    const id = await made('variable')
    for (const other of (['organization', 'workspace', 'project', 'service'] as const).filter((s) => s !== scope)) {
      const call = owner.variables.reveal({ scope: other, resourceId: ids[other], id })
      expect(await failureOf(call)).toMatchObject({ code: 'not_found' })
    }
    const stranger = await api.caller((await api.create.organization()).owner)
    const call = stranger.variables.reveal({ scope, resourceId: ids[scope], id })
    expect(await failureOf(call)).toMatchObject({ code: 'not_found' })
    const none = owner.variables.reveal({ scope, resourceId: ids[scope], id: randomUUID() })
    expect(await failureOf(none)).toMatchObject({ code: 'not_found' })
  })
})

test('a key cannot reveal anything: there is no such route', async () => {
  const key = await api.create.key(organization.owner)
  const answer = await api.call(key, 'POST', '/variables/reveal', { body: {} })
  // `PATCH` and `DELETE /variables/{varId}` have this shape.
  expect(refusal(answer)).toEqual({ status: 405, error: 'method_not_allowed' })
})
