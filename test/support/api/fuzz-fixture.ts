import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { webhooks } from '#db/schema/webhooks.ts'
import {
  createAgent,
  createGroup,
  createKey,
  createMember,
  createOrganization,
  createProject,
  createService,
  createWorkspace,
} from '../factories.ts'
import { createIncident } from '../runs/incidents.ts'
import { createResult, step } from '../runs/results.ts'
import { SCRIPT } from '../runs/scripts.ts'
import { createWaitingRun } from '../runs/stored-runs.ts'
import type { TestApi } from './api.ts'

/** The values of requests: valid values by field, and parameters that belong together by path. */
export type Fixture = {
  /** Ids and enumeration values by the name of a query parameter or body field. */
  values: Record<string, string[]>
  /** Parameter values by path template, in the order of the template. */
  paths: Record<string, string[][]>
  /** The same for operations that delete: each resource may be deleted. */
  doomed: Record<string, string[][]>
  tokens: Record<string, string>
}

const COPIES = 24

/** Creates an organization with resources of every kind, through the API where the API can create them. */
export async function createFixture(api: TestApi): Promise<Fixture> {
  const { db } = api
  const organization = await createOrganization(db)
  const owner = await createKey(db, organization.owner)
  const group = await createGroup(db, organization)
  const members = [await createMember(db, organization, { groups: [group] }), await createMember(db, organization)]
  const agents = [await createAgent(db), await createAgent(db, { organizationId: organization.id })]
  const workspace = await createWorkspace(db, organization)
  const project = await createProject(db, workspace)
  const service = await createService(db, project, { script: SCRIPT, version: 2 })
  const webhookIds = Array.from({ length: 3 }, () => uuidv7())
  for (const id of webhookIds) {
    const row = { id, organizationId: organization.id, name: id, method: 'POST', sealed: Buffer.from('none') }
    await db.insert(webhooks).values(row)
  }
  const made = step()
  const result = await createResult(db, service, { steps: [made] })

  const fixture: Fixture = {
    values: {
      workspaceId: [workspace.id],
      projectId: [project.id],
      serviceId: [service.id],
      resourceId: [workspace.id],
      principalId: [members[0]?.userId ?? ''],
      webhookId: webhookIds,
      slugs: agents.map(({ slug }) => slug),
      ids: [],
      assigneeId: members.map(({ membershipId }) => membershipId),
      assignee: ['me', 'none'],
    },
    paths: {
      '/access/{resourceType}/{resourceId}': [
        ['workspace', workspace.id],
        ['project', project.id],
        ['service', service.id],
      ],
      '/agents/{id}/health': agents.map(({ id }) => [id]),
      '/agents/{id}/history': agents.map(({ id }) => [id]),
      '/services/{id}/results/{resultId}': [[service.id, result.id]],
      '/services/{id}/results/{resultId}/steps/{stepId}/body': [[service.id, result.id, made.id]],
    },
    doomed: {},
    tokens: {
      owner: owner.token,
      member: (await createKey(db, members[0] ?? organization.owner)).token,
      read: (await createKey(db, organization.owner, { access: 'read' })).token,
      revoked: (await createKey(db, organization.owner, { revokedAt: new Date() })).token,
      stranger: (await createKey(db, (await createOrganization(db)).owner)).token,
    },
  }
  // Operations below one resource share its ids; scripts are saved on services at version 1.
  for (const path of Object.keys(api.document.paths)) {
    const template = path.replace('/api/public/v1', '')
    const [, kind, id] = template.split('/')
    const own = { workspaces: workspace.id, projects: project.id, services: service.id }[kind ?? '']
    if (template === '/services/{id}/script') continue
    if (own && id === '{id}' && template.split('{').length === 2) fixture.paths[template] = [[own]]
  }

  const make = async (path: string, body: object, query: Record<string, string> = {}) => {
    const { status, body: created } = await api.call(owner, 'POST', path, { body, query })
    if (status >= 300) throw new Error(`POST ${path} answered ${JSON.stringify(created)}`)
    return String(created.id)
  }
  const keep = (template: string, values: string[], isDoomed: boolean) => {
    const list = isDoomed ? fixture.doomed : fixture.paths
    list[template] = [...(list[template] ?? []), values]
  }
  for (let copy = 0; copy < COPIES; copy++) {
    const isDoomed = copy >= COPIES / 4
    const name = randomUUID()
    if (isDoomed) {
      const doomed = await createWorkspace(db, organization)
      keep('/workspaces/{id}', [doomed.id], true)
      keep('/projects/{id}', [(await createProject(db, workspace)).id], true)
      keep('/services/{id}', [(await createService(db, project)).id], true)
      keep('/services/{id}/script', [(await createService(db, project)).id], false)
      const { userId } = await createMember(db, organization)
      const grant = { principalType: 'user', principalId: userId, permissions: 1 }
      await api.call(owner, 'PUT', `/access/workspace/${workspace.id}`, { body: grant })
      const values = ['workspace', workspace.id, 'user', userId]
      keep('/access/{resourceType}/{resourceId}/{principalType}/{principalId}', values, true)
    }
    const failed = await createService(db, project)
    const incident = await createIncident(db, failed)
    keep('/services/{id}/runs/{runId}', [failed.id, await createWaitingRun(db, failed)], isDoomed)
    if (copy < 2) keep('/batches/{id}', [await make(`/projects/${project.id}/run`, {})], false)
    for (const path of ['', '/assignees', '/notes']) keep(`/incidents/{id}${path}`, [incident.id], false)
    keep('/incidents/{id}/acknowledge', [incident.id], isDoomed)
    fixture.values.ids?.push(incident.id)
    keep('/maintenances/{id}', [await make('/maintenances', { projectId: project.id, minutes: 20 })], isDoomed)
    keep('/silences/{id}', [await make('/silences', { channel: 'email' })], isDoomed)
    const variable = { key: `k${name.slice(0, 8)}`, value: '1', type: 'metric' }
    keep('/variables/{varId}', [await make('/variables', variable)], isDoomed)
    for (const scope of [`workspaces/${workspace.id}`, `projects/${project.id}`, `services/${service.id}`]) {
      const [kind, id] = scope.split('/') as [string, string]
      keep(`/${kind}/{id}/variables/{varId}`, [id, await make(`/${scope}/variables`, variable)], isDoomed)
    }
    const bound = await createProject(db, workspace)
    const query = { resourceType: 'project', resourceId: bound.id }
    const binding = await make('/webhooks/bindings', { webhookId: webhookIds[0] }, query)
    keep('/webhooks/bindings/{id}', [binding], isDoomed)
  }
  return fixture
}
