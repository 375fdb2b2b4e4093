import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import { webhooks } from '#db/schema/webhooks.ts'
import * as conventions from '#server/schemas/conventions.ts'
import { BatchId } from '#server/schemas/runs/batches.ts'
import { RunId } from '#server/schemas/runs.ts'
import { createIncident } from '../runs/incidents.ts'
import { createResult, step } from '../runs/results.ts'
import type { TestApi } from './api.ts'

/** What the examples of the document name: a key, and the real id for each id in an example. */
export type ExampleWorld = { token: string; ids: Map<string, string> }

/** Creates a resource of every kind, each named differently from the examples. `path` is the operation's own. */
export async function createExampleWorld(api: TestApi, agent: { id: string }, path: string): Promise<ExampleWorld> {
  const { db, create } = api
  const organization = await create.organization()
  const { token } = await create.key(organization.owner)
  const workspace = await create.workspace(organization)
  const project = await create.project(workspace)
  const script = 'get("https://shop.example/").expect(status: 200)'
  const service = await create.service(project, { script, version: 1, isActive: true })
  const member = await create.member(organization)
  const group = await create.group(organization)
  await create.grant(organization, { membershipId: member.membershipId }, { projectId: project.id, level: 1 })
  const webhookId = uuidv7()
  const webhook = {
    id: webhookId,
    organizationId: organization.id,
    name: 'Chat',
    method: 'POST',
    sealed: Buffer.from('-'),
  }
  await db.insert(webhooks).values(webhook)
  const made = step()
  const result = await createResult(db, service, { steps: [made] })
  const incident = await createIncident(db, service)

  const make = async (at: string, body: object, query: Record<string, string> = {}) => {
    const answer = await api.call(token, 'POST', at, { body, query })
    if (answer.status >= 300) throw new Error(`POST ${at} answered ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const silence = await make('/silences', { channel: 'all' })
  const maintenance = await make('/maintenances', { projectId: project.id, minutes: 20 })
  const binding = await make(
    '/webhooks/bindings',
    { webhookId },
    { resourceType: 'workspace', resourceId: workspace.id },
  )
  await make(`/services/${service.id}/variables`, { key: 'base', value: 'https://shop.example' })
  const owner = { workspaces: workspace.id, projects: project.id, services: service.id }[path.split('/')[1] ?? '']
  const scope = owner ? `/${path.split('/')[1]}/${owner}` : ''
  const variable = await make(`${scope}/variables`, { key: 'token', value: 'x', type: 'secret' })
  const run = await make(`/services/${service.id}/run`, {})
  const batch = await make(`/projects/${project.id}/run`, {})

  const ids: [z.ZodType, unknown][] = [
    [conventions.OrganizationId, organization.id],
    [conventions.WorkspaceId, workspace.id],
    [conventions.ProjectId, project.id],
    [conventions.ServiceId, service.id],
    [conventions.ResultId, result.id],
    [conventions.StepId, made.id],
    [conventions.AgentId, agent.id],
    [conventions.IncidentId, incident.id],
    [conventions.VariableId, variable.id],
    [conventions.SilenceId, silence.id],
    [conventions.MaintenanceId, maintenance.id],
    [conventions.WebhookId, webhookId],
    [conventions.BindingId, binding.id],
    [conventions.GroupId, group.id],
    [conventions.UserId, member.userId],
    [conventions.OrgUserId, member.membershipId],
    [RunId, run.runId],
    [BatchId, batch.id],
  ]
  return { token, ids: new Map(ids.map(([schema, id]) => [String(schema.meta()?.example), String(id)])) }
}
