// biome-ignore-all lint/suspicious/noTemplateCurlyInString: braces of the script language
import { v7 as uuidv7 } from 'uuid'
import { agents } from '#db/schema/resources.ts'
import { variables } from '#db/schema/scoped.ts'
import { webhooks } from '#db/schema/webhooks.ts'
import type { TestApi } from '#test/support/api/api.ts'
import type { Key, Organization } from '#test/support/factories.ts'

// An organization with everything that a folder of monitoring as code describes.

export const SCRIPT = 'get("${$p.base}/health?t=$w.token")\n.expect(status: 200)\n'
export const OTHER_SCRIPT =
  '// Checks: ünïcode, "quotes" and a tab\t\nget("https://example.com/a")\n.expect(status: [200, 204])'

/** The values that the folder does not have. */
export const VALUES = {
  SOUNDLINE_VAR_ORGANIZATION_ORG_NAME: 'Example',
  SOUNDLINE_VAR_WORKSPACE_TOKEN: 'secret-of-workspace',
  SOUNDLINE_VAR_PROJECT_BASE: 'https://shop.example.com',
  SOUNDLINE_VAR_SERVICE_CHECKOUT_PASSWORD: 'secret-of-checkout',
}

export type Side = { organization: Organization; key: Key }

/** An organization with the webhooks and agents that a folder refers to, and nothing else. */
export async function createEmptySide(api: TestApi, agentSlugs: string[]): Promise<Side> {
  const organization = await api.create.organization()
  for (const name of ['Ops chat', 'Pager']) {
    const id = uuidv7()
    const sealed = api.runtime.vault.seal(
      JSON.stringify({ url: 'https://hook.example' }),
      'webhook',
      organization.id,
      id,
    )
    await api.db.insert(webhooks).values({ id, organizationId: organization.id, name, sealed })
  }
  for (const slug of agentSlugs) {
    await api.db.insert(agents).values({ id: uuidv7(), slug, label: slug }).onConflictDoNothing()
  }
  return { organization, key: await api.create.key(organization.owner) }
}

export async function createSourceSide(api: TestApi, agentSlugs: string[]): Promise<Side> {
  const side = await createEmptySide(api, agentSlugs)
  const call = caller(api, side.key)
  const hooks = await call('GET', '/webhooks')
  const hook = (name: string) => (hooks.items as { id: string; name: string }[]).find((one) => one.name === name)?.id
  await call('POST', '/variables', { key: 'org_name', value: 'Example' })
  const shop = await call('POST', '/workspaces', { name: 'Shop: "EU"' })
  await call('POST', `/workspaces/${shop.id}/variables`, {
    key: 'token',
    value: 'secret-of-workspace',
    type: 'secret',
    allowedHosts: ['shop.example.com', '*.example.net:8443'],
  })
  await call('POST', `/webhooks/bindings?resourceType=workspace&resourceId=${shop.id}`, { webhookId: hook('Pager') })
  const web = await call('POST', '/projects', { workspaceId: shop.id, name: 'Web' })
  await call('POST', `/projects/${web.id}/variables`, { key: 'base', value: 'https://shop.example.com' })
  await call('POST', `/projects/${web.id}/variables`, { key: 'limit', value: '0042', type: 'metric' })
  await call('POST', `/webhooks/bindings?resourceType=project&resourceId=${web.id}`, {
    webhookId: hook('Ops chat'),
    enabled: false,
  })
  await createCheckout(api, side, String(web.id), { hook: hook('Ops chat') as string, agentSlugs })
  const off = await call('POST', '/services', {
    projectId: web.id,
    name: 'Größe & Maße',
    script: OTHER_SCRIPT,
    isActive: false,
  })
  await call('PATCH', `/services/${off.id}`, { label: 'null', schedule: '0 3 * * mon' })
  await call('POST', '/services', { projectId: web.id, name: 'checkout', saveResponseBodies: false })
  const empty = await call('POST', '/workspaces', { name: '日本' })
  await call('POST', '/projects', { workspaceId: empty.id, name: 'true' })
  return side
}

async function createCheckout(
  api: TestApi,
  side: Side,
  projectId: string,
  { hook, agentSlugs }: { hook: string; agentSlugs: string[] },
): Promise<void> {
  const call = caller(api, side.key)
  const { id } = await call('POST', '/services', {
    projectId,
    name: 'Checkout',
    labels: ['prod', 'web'],
    schedule: '*/10 * * * *',
    timezone: 'Europe/Berlin',
  })
  await call('PATCH', `/services/${id}`, {
    probeMode: 'simultaneous',
    queuePolicy: 'enqueue_once',
    serviceWindow: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=2;BYMINUTE=0/90/Europe/Berlin',
    saveResponseBodies: false,
    sendTraceparent: true,
  })
  await call('PUT', `/services/${id}/agents`, { slugs: agentSlugs })
  await call('POST', `/services/${id}/variables`, { key: 'password', value: 'secret-of-checkout', type: 'secret' })
  await call('POST', `/webhooks/bindings?resourceType=service&resourceId=${id}`, { webhookId: hook })
  const list = await call('GET', `/services/${id}/variables`)
  const confirm = (list.items as { id: string; key: string }[]).find(({ key }) => key === 'confirmFailures')
  await call('PATCH', `/services/${id}/variables/${confirm?.id}`, { value: '3' })
  await call('PATCH', `/services/${id}/script`, { script: SCRIPT, version: 1 })
  // What a script wrote is a result, and not part of the configuration.
  const now = new Date()
  await api.db.insert(variables).values({
    ...{ id: uuidv7(), organizationId: side.organization.id, serviceId: String(id), key: 'seen', type: 'metric' },
    ...{ value: '7', isScriptWritten: true, createdAt: now, updatedAt: now },
  } as typeof variables.$inferInsert)
}

/** Calls the API and expects a success. */
export function caller(api: TestApi, key: Key) {
  return async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const [where = '', search = ''] = path.split('?')
    const answer = await api.call(key, method, where, { body, query: search })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}

/**
 * Everything that the API shows of an organization's configuration, without ids, times and results. Read without the
 * exporter, so that a field that the exporter forgets is found.
 */
export async function readConfiguration(api: TestApi, { key }: Side): Promise<unknown> {
  const call = caller(api, key)
  const items = async (path: string, query = '') =>
    (await call('GET', `${path}?pageSize=100${query}`)).items as Record<string, unknown>[]
  const scope = async (type: string, id: unknown) => ({
    variables: (await items(`/${type}s/${id}/variables`))
      .filter(({ isScriptWritten }) => !isScriptWritten)
      .map(plain)
      .toSorted(byKey),
    webhooks: (await items('/webhooks/bindings', `&resourceType=${type}&resourceId=${id}`)).map(plain).toSorted(byKey),
  })
  const workspaces = []
  for (const workspace of await items('/workspaces')) {
    const projects = []
    for (const project of await items('/projects', `&workspaceId=${workspace.id}`)) {
      const services = []
      for (const service of await items('/services', `&projectId=${project.id}`)) {
        const agentsOf = await call('GET', `/services/${service.id}/agents`)
        services.push({ ...plain(service), ...(await scope('service', service.id)), agents: agentsOf })
      }
      projects.push({ ...plain(project), ...(await scope('project', project.id)), services: services.toSorted(byKey) })
    }
    workspaces.push({
      ...plain(workspace),
      ...(await scope('workspace', workspace.id)),
      projects: projects.toSorted(byKey),
    })
  }
  return { variables: (await items('/variables')).map(plain), workspaces: workspaces.toSorted(byKey) }
}

const OF_THE_INSTALLATION = new Set([
  ...['id', 'workspaceId', 'projectId', 'webhookId', 'createdAt', 'updatedAt', 'version'],
  ...['metrics', 'lastStatus', 'lastStatusSince', 'stateSince', 'lastFailure', 'certificates'],
])

function plain(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !OF_THE_INSTALLATION.has(field)))
}

function byKey(a: Record<string, unknown>, b: Record<string, unknown>): number {
  const [left, right] = [a, b].map((row) => String(row.key ?? row.name ?? row.webhookName))
  return (left as string) < (right as string) ? -1 : 1
}
