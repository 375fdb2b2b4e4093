import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '#db/client.ts'
import { and, eq } from '#db/drizzle.cjs'
import { matchesRow, type RowKey } from '#db/row-match.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { grants, variables } from '#db/schema/scoped.ts'
import { audit } from '../audit.ts'
import type { ActorContext } from '../context.ts'
import { notFound } from '../errors.ts'
import type { AlertSettings } from '../schemas/alerts/alerting.ts'
import { SYSTEM_VARIABLES, type SystemVariableKey } from '../schemas/alerts/system-variables.ts'
import type { ServiceRow } from './view.ts'

// Inserts workspaces, projects and services with what belongs to them, and writes the audit entries. The caller has
// checked that the member may.

export type WorkspaceRow = typeof workspaces.$inferSelect
export type ProjectRow = typeof projects.$inferSelect

/** The member who creates a workspace gets a write grant on it. */
export async function insertWorkspace(tx: Tx, ctx: ActorContext, name: string): Promise<WorkspaceRow> {
  const row = { id: uuidv7(), organizationId: ctx.actor.organizationId, name, createdAt: ctx.now() }
  await tx.insert(workspaces).values(row)
  await tx.insert(grants).values({
    id: uuidv7(),
    organizationId: row.organizationId,
    workspaceId: row.id,
    membershipId: ctx.actor.membershipId,
    level: 2,
  })
  await audit(tx, ctx, {
    action: 'workspace.create',
    entityType: 'workspace',
    entityId: row.id,
    entityName: row.name,
  })
  return row
}

export async function insertProject(
  tx: Tx,
  ctx: ActorContext,
  workspace: { id: string; organizationId: string },
  name: string,
): Promise<ProjectRow> {
  const row = {
    id: uuidv7(),
    organizationId: workspace.organizationId,
    workspaceId: workspace.id,
    name,
    createdAt: ctx.now(),
  }
  await tx.insert(projects).values(row)
  await audit(tx, ctx, {
    action: 'project.create',
    entityType: 'project',
    entityId: row.id,
    entityName: row.name,
    details: { workspaceId: workspace.id },
  })
  return row
}

type NewService = Pick<typeof services.$inferInsert, 'name'> &
  Partial<
    Pick<
      typeof services.$inferInsert,
      | 'labels'
      | 'schedule'
      | 'timezone'
      | 'saveResponseBodies'
      | 'sendTraceparent'
      | 'probeMode'
      | 'queuePolicy'
      | 'serviceWindow'
    >
  >

/**
 * Inserts a service without a script, with its system variables: their initial values, or those of `alerting`. `details` are
 * added to its audit entry.
 */
export async function insertService(
  tx: Tx,
  ctx: ActorContext,
  project: { id: string; organizationId: string },
  fields: NewService,
  { alerting = {}, ...details }: { alerting?: Partial<AlertSettings> } & Record<string, unknown> = {},
): Promise<ServiceRow> {
  const { id: projectId, organizationId } = project
  const [row] = await tx
    .insert(services)
    .values({ id: uuidv7(), organizationId, projectId, ...fields, createdAt: ctx.now() })
    .returning()
  if (!row) throw notFound()
  await seedVariables(tx, row, alerting)
  await audit(tx, ctx, {
    action: 'service.create',
    entityType: 'service',
    entityId: row.id,
    entityName: row.name,
    details: {
      projectId,
      schedule: row.schedule,
      ...(row.timezone && { timezone: row.timezone }),
      ...(Object.keys(alerting).length > 0 && { alerting }),
      ...details,
    },
  })
  return row
}

/** Creates the system variables, which control alerts. */
async function seedVariables(
  tx: Tx,
  { id, organizationId, createdAt }: ServiceRow,
  alerting: Partial<AlertSettings>,
): Promise<void> {
  const own = { organizationId, serviceId: id, type: 'metric' as const, createdAt, updatedAt: createdAt }
  await tx.insert(variables).values(
    Object.entries(SYSTEM_VARIABLES).map(([key, { systemType, initial }]) => ({
      ...own,
      id: uuidv7(),
      key,
      value: String(alerting[key as SystemVariableKey] ?? initial),
      systemType,
    })),
  )
}

/** Returns whether the organization has a workspace of this name. */
export function hasWorkspaceNamed(tx: Tx, organizationId: string, name: string): Promise<boolean> {
  return exists(tx, workspaces, and(eq(workspaces.organizationId, organizationId), eq(workspaces.name, name)))
}

export function hasProjectNamed(tx: Tx, workspace: RowKey<string>, name: string): Promise<boolean> {
  return exists(tx, projects, and(matchesRow(projects.workspaceId, workspace), eq(projects.name, name)))
}

export function hasServiceNamed(tx: Tx, project: RowKey<string>, name: string): Promise<boolean> {
  return exists(tx, services, and(matchesRow(services.projectId, project), eq(services.name, name)))
}

async function exists(
  tx: Tx,
  table: typeof workspaces | typeof projects | typeof services,
  where: Parameters<Tx['$count']>[1],
): Promise<boolean> {
  return (await tx.$count(table, where)) > 0
}
