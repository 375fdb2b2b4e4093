// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the language

import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { domains } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { variables } from '#db/schema/scoped.ts'
import type { Service } from '#server/schemas/services.ts'
import { MASK } from '#server/schemas/variables.ts'
import { validateForSave } from '#server/scripts/validation.ts'
import { NO_VARIABLES } from '#server/scripts/variable-scopes.ts'
import { type TestApi, testApi } from '#test/support/api/api.ts'
import { codeOf } from '#test/support/api/permission-answers.ts'
import { testTree } from '#test/support/api/tree.ts'
import { type Organization, unique } from '#test/support/factories.ts'
import { BROKEN_SCRIPT, probeOf, quoted, SCRIPT } from '#test/support/runs/scripts.ts'
import { actionsOn } from '#test/support/side-effects.ts'
import { blockedPayloads } from '#test/support/targets/payloads.ts'

const api = testApi()
const trusting = testApi({ settings: { TRUSTED_DOMAIN_MODE: 'true' } })
const opened = testApi({ settings: { PROBE_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128' } })

const tree = testTree(api)

async function verify({ db }: TestApi, organization: Organization, domain: string, isVerified = true): Promise<void> {
  const verifiedAt = isVerified ? new Date() : null
  await db.insert(domains).values({ id: uuidv7(), organizationId: organization.id, domain, token: 't', verifiedAt })
}

function save(id: string, script: string, version: number, key = tree.owner) {
  return api.call<Service>(key, 'PATCH', `/services/${id}/script`, { body: { script, version } })
}

type ServiceRow = typeof services.$inferSelect
function fresh(given: Partial<ServiceRow> = {}): Promise<ServiceRow> {
  return api.create.service(tree.project, given)
}

const UNVERIFIED = 'https://status.example.net'
/** Four calls, one more than an unverified domain may get. */
const MANY = probeOf(...Array.from({ length: 4 }, (_, i) => `${UNVERIFIED}/${i}`))
const INCLUDES = `get("${UNVERIFIED}/").assert({ expect: [includes(this.body, "ok")] })`

describe('PATCH /services/{id}/script', () => {
  test('200 the first save switches the service on', async () => {
    const service = await fresh()
    const { status, body } = await save(service.id, SCRIPT, 1)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      script: SCRIPT,
      version: 2,
      isActive: true,
      unverifiedTargets: ['status.example.com'],
    })
    expect(await actionsOn(api.db, service.id)).toEqual(['service.script', 'service.enable'])
  })

  test('200 later saves do not switch the service', async () => {
    const service = await fresh()
    await save(service.id, SCRIPT, 1)
    expect((await save(service.id, probeOf(UNVERIFIED), 2)).body).toMatchObject({ version: 3, isActive: true })
    await api.call(tree.owner, 'PATCH', `/services/${service.id}/toggle`, { body: { isActive: false } })
    const { body } = await save(service.id, SCRIPT, 3)
    expect(body).toMatchObject({ version: 4, isActive: false, unverifiedTargets: ['status.example.com'] })
  })

  test('200 a first save whose enable is refused is saved all the same, and the service stays off', async () => {
    const service = await fresh()
    const { status, body } = await save(service.id, probeOf('$s.base/health'), 1)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { version: 2, isActive: false, unverifiedTargets: [] },
    })
    expect(await actionsOn(api.db, service.id)).toEqual(['service.script'])
    // Only the first saved script activates a service; the second does not, though it could run.
    expect((await save(service.id, SCRIPT, 2)).body).toMatchObject({ version: 3, isActive: false })
  })

  test('400 field_invalid lists every problem of the script, and says the first', async () => {
    const service = await fresh()
    const script = `get("${UNVERIFIED}/$nope").expect(status: 200)\nget("${UNVERIFIED}/").expect(status: 200).expect(status: 200)`
    const { status, body } = await save(service.id, script, 1)
    expect(status).toBe(400)
    const { error, details } = body as unknown as { error: string; details: Record<string, unknown> }
    expect(error).toBe('field_invalid')
    expect(details).toMatchObject({
      field: 'script',
      errors: [
        { code: 'VARIABLE_UNKNOWN', callIndex: 0, field: 'nope', detail: expect.any(String), line: 1 },
        { code: 'CHAIN_DUPLICATE', callIndex: 1, detail: expect.any(String), line: 2 },
      ],
    })
    const errors = details.errors as { detail: string }[]
    expect(details.reason).toBe(errors[0]?.detail)
    const told = JSON.stringify(api.document.components.schemas.ErrorDetails)
    for (const field of Object.keys(errors[0] ?? {})) expect(told).toContain(`"${field}":{"type":`)
  })

  test('400 field_invalid for an invalid script', async () => {
    const service = await fresh()
    for (const script of ['', ' \n', '// nothing', BROKEN_SCRIPT, '{"a": 1}', `get(${quoted(UNVERIFIED)}`]) {
      const { status, body } = await save(service.id, script, 1)
      expect({ status, body }).toMatchObject({
        status: 400,
        body: {
          error: 'field_invalid',
          details: { field: 'script', reason: expect.any(String), errors: [{ code: expect.any(String) }] },
        },
      })
    }
    expect(await actionsOn(api.db, service.id)).toEqual([])
  })

  test('409 version_conflict for every version but the current', async () => {
    const service = await fresh()
    await save(service.id, SCRIPT, 1)
    for (const version of [0, 1, 3, -1, 2_147_483_648]) {
      const { status, body } = await save(service.id, SCRIPT, version)
      expect({ status, body }).toEqual({
        status: 409,
        body: { error: 'version_conflict', details: { field: 'version', version: 2 } },
      })
    }
  })

  test('of twenty saves of one version exactly one succeeds', async () => {
    const service = await fresh()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => save(service.id, `${SCRIPT}// save ${i}`, 1)),
    )
    const saved = answers.filter((answer) => answer.status === 200)
    expect(saved).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(19)
    const { body } = await api.call<Service>(tree.owner, 'GET', `/services/${service.id}`)
    expect(body).toMatchObject({ version: 2, script: saved[0]?.body.script })
    expect(await actionsOn(api.db, service.id)).toEqual(['service.script', 'service.enable'])
  })
})

describe('targets no probe may reach', () => {
  const payloads = blockedPayloads(9)
  const scriptTo = (url: string) => `get(${quoted(url)}).expect(status: 200)`
  /** Whether the URL makes the script invalid, which is reported before a blocked target. */
  const isNoScript = ({ url }: { url: string }) => url === '' || url.includes('\0')

  test('are refused in each of over a thousand spellings', () => {
    const context = { schedule: '0 * * * *', isActive: false, scopes: NO_VARIABLES }
    const trust = { trustsAll: false, allowedNetworks: [], verifiedDomains: new Set<string>() }
    const kinds = new Set<string>()
    for (const payload of payloads) {
      const expected = isNoScript(payload) ? 'field_invalid' : 'blocked_probe_target'
      const validate = () => validateForSave({ ...context, trust, script: scriptTo(payload.url) })
      expect(validate, payload.url).toThrow(expect.objectContaining({ api: expected }))
      kinds.add(payload.class)
    }
    expect([payloads.length, kinds.size]).toEqual([1_108, 37])
  })

  test('400 for one of each class on create, update, save or toggle', async () => {
    const madeBefore = await api.db.$count(services, eq(services.projectId, tree.project.id))
    const stored = await fresh({ version: 2 })
    const path = `/services/${stored.id}`
    const ways = [
      (script: string) => api.call(tree.owner, 'POST', '/services', { body: { ...named(), script } }),
      (script: string) => api.call(tree.owner, 'PATCH', path, { body: { script, version: 2 } }),
      (script: string) => save(stored.id, script, 2),
      async (script: string) => {
        await api.db.update(services).set({ script }).where(eq(services.id, stored.id))
        return api.call(tree.owner, 'PATCH', `${path}/toggle`, { body: { isActive: true } })
      },
    ]
    const named = () => ({ projectId: tree.project.id, name: unique('B') })
    const others: unknown[] = []
    const ofEachClass = new Map(payloads.filter((payload) => !isNoScript(payload)).map((each) => [each.class, each]))
    for (const [i, { url }] of [...ofEachClass.values()].entries()) {
      const answer = await (ways[i % ways.length] as (typeof ways)[0])(scriptTo(url))
      if (answer.status !== 400 || codeOf(answer) !== 'blocked_probe_target') others.push([url, answer])
    }
    for (const { url } of payloads.filter(isNoScript)) {
      const answer = await save(stored.id, scriptTo(url), 2)
      if (!/^(invalid_request_body|field_invalid)$/.test(String(codeOf(answer)))) others.push([url, answer])
    }
    expect(others).toEqual([])
    expect(ofEachClass.size).toBe(36)
    expect(await actionsOn(api.db, stored.id)).toEqual([])
    expect(await api.db.$count(services, eq(services.projectId, tree.project.id))).toBe(madeBefore + 1)
  })

  const BLOCKED = probeOf(UNVERIFIED, 'http://169.254.169.254/latest')

  test('400 on create, update, script and toggle alike, naming the call and not the URL', async () => {
    const stored = await fresh({ script: BLOCKED, version: 2 })
    const answers = [
      await api.call(tree.owner, 'POST', '/services', {
        body: { projectId: tree.project.id, name: unique('B'), script: BLOCKED },
      }),
      await api.call(tree.owner, 'PATCH', `/services/${stored.id}`, { body: { script: BLOCKED, version: 2 } }),
      await save(stored.id, BLOCKED, 2),
      await api.call(tree.owner, 'PATCH', `/services/${stored.id}/toggle`, { body: { isActive: true } }),
    ]
    for (const { status, body } of answers) {
      expect({ status, body }).toEqual({
        status: 400,
        body: {
          error: 'blocked_probe_target',
          details: {
            field: 'script',
            callIndex: 1,
            reason: 'the URL of call 2 has an IP address that is not public',
          },
        },
      })
    }
  })

  test('400 for a target by way of a variable, and for a literal scheme before a variable', async () => {
    const service = await fresh()
    await createVariable(api, service, 'inside', 'http://10.1.2.3')
    await createVariable(api, service, 'host', 'printer.local')
    for (const url of [
      '$s.inside/x',
      '${$s.inside}:8080/x',
      'http://${$s.host}/',
      'ftp://$$host/',
      'ftp://${$s.missing}/',
    ]) {
      const { body } = await save(service.id, probeOf(url), 1)
      expect(body).toMatchObject({ error: 'blocked_probe_target', details: { callIndex: 0 } })
    }
  })

  test.each(['[2606:4700:4700::1111]', '[2001:4860:4860::8888]:8443'])('200 for the public %s', async (host) => {
    const service = await fresh()
    await createVariable(api, service, 'base', `https://${host}`)
    const { body } = await save(service.id, probeOf(`https://${host}/x`, '$s.base/x'), 1)
    expect(body).toMatchObject({ isActive: true, unverifiedTargets: [host.replace(/^\[|\].*$/g, '')] })
  })

  test('verification of the domain changes nothing', async () => {
    await verify(api, tree.organization, 'corp')
    await verify(api, tree.organization, '10.0.0.1')
    for (const url of ['http://wiki.corp/', 'http://10.0.0.1/']) {
      const { body } = await save((await fresh()).id, probeOf(url), 1)
      expect(body).toMatchObject({ error: 'blocked_probe_target' })
    }
  })

  test('an operator can open networks, which then count as verified', async () => {
    const { project, owner: key } = await opened.create.tree()
    const script = probeOf(
      ...Array.from({ length: 5 }, (_, i) => `http://127.0.0.1:${8_000 + i}/`),
      'http://localhost/',
    )
    const body = { projectId: project.id, name: unique('Local'), script, schedule: '* * * * *' }
    const made = await opened.call<Service>(key, 'POST', '/services', { body })
    expect(made.body).toMatchObject({ isActive: true, unverifiedTargets: [] })
    const still = { ...body, name: unique('Local'), script: probeOf('http://10.0.0.1/') }
    expect((await opened.call(key, 'POST', '/services', { body: still })).body).toMatchObject({
      error: 'blocked_probe_target',
    })
  })
})

describe('unverified domains', () => {
  const RESTRICTED = [
    ['unverified_domain_call_limit', { script: MANY }],
    ['unverified_domain_includes', { script: INCLUDES }],
    ['unverified_domain_interval', { script: probeOf(UNVERIFIED), schedule: '*/4 * * * *' }],
    // Its slots are seven minutes apart, but four at the full hour.
    ['unverified_domain_interval', { script: probeOf(UNVERIFIED), schedule: '*/7 * * * *' }],
  ] as const

  test.each(RESTRICTED)('400 %s on create, update, script and toggle alike', async (code, given) => {
    const schedule = 'schedule' in given ? given.schedule : '*/5 * * * *'
    const stored = await fresh({ script: given.script, schedule, version: 2 })
    const answers = [
      await api.call(tree.owner, 'POST', '/services', {
        body: { projectId: tree.project.id, name: unique('U'), ...given },
      }),
      await api.call(tree.owner, 'PATCH', `/services/${stored.id}`, { body: { script: given.script, version: 2 } }),
      await save(stored.id, given.script, 2),
      await api.call(tree.owner, 'PATCH', `/services/${stored.id}/toggle`, { body: { isActive: true } }),
    ]
    const field = code === 'unverified_domain_interval' ? 'schedule' : 'script'
    for (const { status, body, help } of answers) {
      const reason = expect.stringMatching(/^status\.example\.net is not verified: /)
      const details = { field, reason, hosts: ['status.example.net'] }
      expect({ status, body }).toMatchObject({ status: 400, body: { error: code, details } })
      // What the command line shows too.
      expect(help?.message).toMatch(
        /: status\.example\.net is not verified: .+\. Verify it under Domains, or the operator sets TRUSTED_DOMAIN_MODE\.$/,
      )
    }
  })

  test.each(RESTRICTED)(
    'no %s for a verified domain, its subdomains, or where every domain is trusted',
    async (_, given) => {
      const own = await api.create.tree()
      await verify(api, own.organization, 'example.net')
      const body = { projectId: own.project.id, name: unique('Own'), ...given }
      expect((await api.call(own.owner, 'POST', '/services', { body })).body).toMatchObject({
        isActive: true,
        unverifiedTargets: [],
      })
      const other = await trusting.create.tree()
      const there = { ...body, projectId: other.project.id }
      expect((await trusting.call(other.owner, 'POST', '/services', { body: there })).body).toMatchObject({
        isActive: true,
        unverifiedTargets: [],
      })
    },
  )

  test('a domain covers its subdomains and nothing that merely ends alike', async () => {
    const { organization, project, owner: key } = await api.create.tree()
    await verify(api, organization, 'shop.example')
    await verify(api, organization, 'pending.example', false)
    const verdicts: Record<string, string[]> = {}
    const hosts = [
      'shop.example',
      'a.b.shop.example',
      'SHOP.example.',
      'workshop.example',
      'shop.example.org',
      'pending.example',
    ]
    for (const host of hosts) {
      const body = { projectId: project.id, name: unique('H'), script: probeOf(`https://${host}/`) }
      const made = await api.call<Service>(key, 'POST', '/services', { body })
      verdicts[host] = made.body.unverifiedTargets
    }
    expect(verdicts).toEqual({
      'shop.example': [],
      'a.b.shop.example': [],
      'SHOP.example.': [],
      'workshop.example': ['workshop.example'],
      'shop.example.org': ['shop.example.org'],
      'pending.example': ['pending.example'],
    })
  })

  test('an address, and a host that only a run knows, are unverified whatever is verified', async () => {
    const { organization, project, owner: key } = await api.create.tree()
    await verify(api, organization, 'shop.example')
    const login = 'post("https://shop.example/login").expect(status: 200).store({ "$$host": this.body.host })\n'
    const dynamic = `${login}${probeOf('https://${$$host}/1', 'https://shop.example/$$host', 'https://shop.example/3')}`
    for (const script of [dynamic, probeOf(...Array(4).fill('http://93.184.216.34/'))]) {
      const body = { projectId: project.id, name: unique('D'), script }
      expect((await api.call(key, 'POST', '/services', { body })).body).toMatchObject({
        error: 'unverified_domain_call_limit',
      })
    }
    // A run variable in a path does not change the host.
    const inPath = { projectId: project.id, name: unique('D'), script: dynamic.replace('${$$host}', 'shop.example') }
    expect((await api.call(key, 'POST', '/services', { body: inPath })).status).toBe(200)
  })

  test('three calls, no includes and five minutes are allowed; the mix with a verified domain is not', async () => {
    const { organization, project, owner: key } = await api.create.tree()
    await verify(api, organization, 'shop.example')
    const three = { projectId: project.id, name: unique('T'), script: probeOf(UNVERIFIED, UNVERIFIED, UNVERIFIED) }
    expect((await api.call(key, 'POST', '/services', { body: three })).body).toMatchObject({ isActive: true })
    const mixed = probeOf(UNVERIFIED, ...Array(3).fill('https://shop.example/'))
    const body = { projectId: project.id, name: unique('M'), script: mixed }
    expect((await api.call(key, 'POST', '/services', { body })).body).toMatchObject({
      error: 'unverified_domain_call_limit',
      details: { hosts: ['status.example.net'] },
    })
  })

  test('PATCH with a shorter schedule alone is judged by the script that is there', async () => {
    const { organization, project, owner: key } = await api.create.tree()
    const service = await api.create.service(project)
    await save(service.id, probeOf(UNVERIFIED), 1, key)
    const shorten = (schedule: string) =>
      api.call(key, 'PATCH', `/services/${service.id}`, { body: { schedule, label: 'changed' } })
    expect((await shorten('* * * * *')).body).toMatchObject({
      error: 'unverified_domain_interval',
      details: { field: 'schedule' },
    })
    const { body } = await api.call<Service>(key, 'GET', `/services/${service.id}`)
    expect(body).toMatchObject({ schedule: '*/5 * * * *', label: null })
    expect((await shorten('*/6 * * * *')).status).toBe(200)
    await verify(api, organization, 'status.example.net')
    expect((await shorten('* * * * *')).status).toBe(200)
    // The response follows the verified domains without another save.
    const shown = await api.call<Service>(key, 'GET', `/services/${service.id}`)
    expect(shown.body.unverifiedTargets).toEqual([])
  })

  test('a schedule alone is not held up by anything else of the script', async () => {
    const service = await fresh({ script: probeOf('http://10.0.0.1/'), version: 2 })
    const { status } = await api.call(tree.owner, 'PATCH', `/services/${service.id}`, {
      body: { schedule: '0 * * * *' },
    })
    expect(status).toBe(200)
  })
})

describe('variables in scripts', () => {
  test('every scope is read without fall-back, computed variables included', async () => {
    const { organization, project, owner: key } = await api.create.tree()
    const service = await api.create.service(project)
    const at = { organizationId: organization.id, id: project.workspaceId }
    await createVariable(api, { ...service, id: null }, 'inOrganization', 'x')
    await createVariable(api, at, 'inWorkspace', 'x', 'workspaceId')
    await createVariable(api, { ...at, id: project.id }, 'inProject', 'x', 'projectId')
    await createVariable(api, service, 'inService', 'x')
    const known = [
      '$o.inOrganization',
      '$w.inWorkspace',
      '$w.name',
      '$p.inProject',
      '$p.name',
      '$s.inService',
      '$s.name',
      '$s.lastStatus',
      '$s.lastStatusSince',
      '$s.lastStatusConsecutive',
    ]
    const unknown = ['$s.inOrganization', '$p.inWorkspace', '$o.inService', '$o.name', '$w.lastStatus', '$s.inservice']
    const path = [...known, ...unknown].map((name) => `\${${name}}`).join('/')
    const saved = await save(service.id, probeOf(`${UNVERIFIED}/${path}`), 1, key)
    expect(saved.body).toMatchObject({ isActive: false, version: 2 })
    const { status, body } = await api.call(key, 'PATCH', `/services/${service.id}/toggle`, {
      body: { isActive: true },
    })
    expect(status).toBe(400)
    const { details } = body as { details: { errors: { code: string; callIndex: number; field: string }[] } }
    expect(details.errors.map(({ code, callIndex, field }) => [code, callIndex, field])).toEqual(
      unknown.map((name) => ['VARIABLE_UNKNOWN', 0, name.slice(1)]),
    )
  })

  test('a name the script writes back itself exists; its target counts as unverified until it has a value', async () => {
    const service = await fresh()
    const script = `get("${UNVERIFIED}/").expect(status: 200).store({ "next": this.body.next })\n`
    const { body } = await save(service.id, `${script}${probeOf('$s.next/')}`, 1)
    expect(body).toMatchObject({ isActive: true, version: 2 })
    const limited = await save(service.id, `${script}${probeOf('$s.next/', '$s.next/', '$s.next/')}`, 2)
    expect(limited.body).toMatchObject({ error: 'unverified_domain_call_limit' })
  })

  test('while the service is on, a target without a value counts as unverified at save too', async () => {
    const { organization, project, owner: key } = await api.create.tree()
    await verify(api, organization, 'shop.example')
    const service = await api.create.service(project)
    expect((await save(service.id, probeOf('https://shop.example/'), 1, key)).body).toMatchObject({ isActive: true })
    const later = probeOf('$s.later/', ...Array(3).fill('https://shop.example/'))
    expect((await save(service.id, later, 2, key)).body).toMatchObject({ error: 'unverified_domain_call_limit' })
    await api.call(key, 'PATCH', `/services/${service.id}/toggle`, { body: { isActive: false } })
    expect((await save(service.id, later, 2, key)).body).toMatchObject({ version: 3, isActive: false })
  })

  test('switching on can be refused for a target that was unknown when the script was saved', async () => {
    const service = await fresh()
    const script = probeOf(...Array(4).fill('$s.base/'))
    expect((await save(service.id, script, 1)).body).toMatchObject({ version: 2, isActive: false })
    const toggle = () => api.call(tree.owner, 'PATCH', `/services/${service.id}/toggle`, { body: { isActive: true } })
    expect((await toggle()).body).toMatchObject({ error: 'field_invalid' })
    await createVariable(api, service, 'base', UNVERIFIED.replace('status', 'later'))
    expect((await toggle()).body).toMatchObject({
      error: 'unverified_domain_call_limit',
      details: { hosts: ['later.example.net'] },
    })
  })

  test('a host that a secret holds is shown to no one', async () => {
    const service = await fresh()
    const host = 'hidden-host.example.net'
    await createVariable(api, service, 'base', `https://${host}`, 'serviceId', 'secret')
    await createVariable(api, service, 'token', 'abc-secret', 'serviceId', 'secret')
    const saved = await save(service.id, probeOf('$s.base/', `${UNVERIFIED}/$s.token`), 1)
    expect(saved.body).toMatchObject({ isActive: true, unverifiedTargets: [MASK, 'status.example.net'] })
    const refused = await save(service.id, probeOf(...Array(4).fill('$s.base/')), 2)
    expect(refused.body).toMatchObject({ error: 'unverified_domain_call_limit', details: { hosts: [MASK] } })
    expect(JSON.stringify([saved.body, refused.body])).not.toContain('hidden')
    await createVariable(api, service, 'inside', 'http://10.9.8.7', 'serviceId', 'secret')
    const blocked = await save(service.id, probeOf('$s.inside/'), 2)
    expect(blocked.body).toMatchObject({ error: 'blocked_probe_target' })
    expect(JSON.stringify(blocked.body)).not.toContain('10.9')
  })
})

type Owner = { organizationId: string; id: string | null }

async function createVariable(
  { db, runtime: { vault } }: TestApi,
  owner: Owner,
  key: string,
  value: string,
  column: 'serviceId' | 'projectId' | 'workspaceId' = 'serviceId',
  type: 'variable' | 'secret' = 'variable',
): Promise<void> {
  const id = uuidv7()
  const sealed = vault.seal(value, 'variable', owner.organizationId, id)
  await db.insert(variables).values({ id, organizationId: owner.organizationId, [column]: owner.id, key, type, sealed })
}
