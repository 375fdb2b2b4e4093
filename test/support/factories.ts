import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { apiKeys, sessions } from '#db/schema/credentials.ts'
import { groupMembers, groups, memberships, organizations, users } from '#db/schema/organizations.ts'
import { agents, projects, services, workspaces } from '#db/schema/resources.ts'
import { grants } from '#db/schema/scoped.ts'
import { HOUR_MS } from '#server/durations.ts'
import { mintKey } from '#server/identity/auth/api-keys.ts'
import type { LevelName, Section } from '#server/schemas/account/sections.ts'
import type { ResourceType } from '#server/schemas/scopes.ts'

// Factories insert rows directly, so that a test starts from any state. Every test creates its own organization.

export type Member = { organizationId: string; userId: string; membershipId: string; email: string }
export type Organization = { id: string; name: string; owner: Member }
export type Group = { id: string; organizationId: string; name: string }
export type Key = { id: string; token: string; prefix: string; name: string }
type Sections = Partial<Record<Section, LevelName>>
/** One resource, and the level on it. */
export type GrantOn = { workspaceId?: string; projectId?: string; serviceId?: string; level: 1 | 2; notify?: boolean }

const LEVEL = { none: 0, read: 1, write: 2 } as const

/** Returns a short unique string. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString('hex')}`
}

/** An organization with its owner. */
export async function createOrganization(
  db: Db,
  given: Partial<typeof organizations.$inferInsert> = {},
): Promise<Organization> {
  const row = { id: uuidv7(), name: unique('Organization'), ...given }
  await db.insert(organizations).values(row)
  const owner = await createMember(db, row, { isOwner: true })
  return { id: row.id, name: row.name, owner }
}

export type MemberOptions = {
  isOwner?: boolean
  isActive?: boolean
  /** Whether the account itself is active, in every organization. */
  isAccountActive?: boolean
  email?: string
  displayName?: string
  sections?: Sections
  groups?: { id: string }[]
  grants?: GrantOn[]
  hasTotp?: boolean
  /** The address is verified. */
  isEmailVerified?: boolean
  /** Joins this account instead of a new one. */
  userId?: string
}

/** A member with the given permissions only. Their password never works; tests of sign-in set one. */
export async function createMember(db: Db, organization: { id: string }, given: MemberOptions = {}): Promise<Member> {
  const email = given.email ?? `${unique('member')}@example.com`
  const userId = given.userId ?? uuidv7()
  if (!given.userId) {
    await db.insert(users).values({
      id: userId,
      email,
      displayName: given.displayName ?? email.slice(0, email.indexOf('@')),
      passwordHash: 'none',
      isActive: given.isAccountActive ?? true,
      totpEnrolledAt: given.hasTotp ? new Date() : null,
      emailVerifiedAt: given.isEmailVerified ? new Date() : null,
    })
  }
  const membershipId = uuidv7()
  await db.insert(memberships).values({
    id: membershipId,
    organizationId: organization.id,
    userId,
    isOwner: given.isOwner ?? false,
    isActive: given.isActive ?? true,
    ...levels(given.sections),
  })
  for (const group of given.groups ?? []) {
    await db.insert(groupMembers).values({ organizationId: organization.id, groupId: group.id, membershipId })
  }
  for (const grant of given.grants ?? []) await createGrant(db, organization, { membershipId }, grant)
  return { organizationId: organization.id, userId, membershipId, email }
}

export async function createGroup(
  db: Db,
  organization: { id: string },
  given: { name?: string; sections?: Sections; requireTotp?: boolean; grants?: GrantOn[] } = {},
): Promise<Group> {
  const id = uuidv7()
  const name = given.name ?? unique('Group')
  await db.insert(groups).values({
    id,
    organizationId: organization.id,
    name,
    requireTotp: given.requireTotp ?? false,
    ...levels(given.sections),
  })
  for (const grant of given.grants ?? []) await createGrant(db, organization, { groupId: id }, grant)
  return { id, organizationId: organization.id, name }
}

export async function createGrant(
  db: Db,
  organization: { id: string },
  principal: { membershipId: string } | { groupId: string },
  grant: GrantOn,
): Promise<void> {
  await db.insert(grants).values({ id: uuidv7(), organizationId: organization.id, ...principal, ...grant })
}

/** By default a write key without expiry. */
export async function createKey(
  db: Db,
  member: Member,
  given: { access?: 'read' | 'write'; name?: string; expiresAt?: Date; revokedAt?: Date; lastOkAt?: Date } = {},
): Promise<Key> {
  const { token, prefix, digest } = mintKey()
  const id = uuidv7()
  const name = given.name ?? unique('key')
  await db.insert(apiKeys).values({
    id,
    organizationId: member.organizationId,
    userId: member.userId,
    name,
    prefix,
    digest,
    access: given.access ?? 'write',
    expiresAt: given.expiresAt ?? null,
    revokedAt: given.revokedAt ?? null,
    lastOkAt: given.lastOkAt ?? null,
  })
  return { id, token, prefix, name }
}

/** Creates a session of one hour and returns its id. */
export async function createSession(db: Db, member: Pick<Member, 'userId' | 'organizationId'>): Promise<string> {
  const id = uuidv7()
  await db.insert(sessions).values({
    id,
    userId: member.userId,
    organizationId: member.organizationId,
    epoch: 0,
    address: '127.0.0.1',
    userAgent: 'test',
    expiresAt: new Date(Date.now() + HOUR_MS),
  })
  return id
}

type WorkspaceRow = typeof workspaces.$inferSelect
export type ProjectRow = typeof projects.$inferSelect
type ServiceRow = typeof services.$inferSelect
type AgentRow = typeof agents.$inferSelect

export async function createWorkspace(
  db: Db,
  organization: { id: string },
  given: Partial<typeof workspaces.$inferInsert> = {},
): Promise<WorkspaceRow> {
  const row = { id: uuidv7(), organizationId: organization.id, name: unique('Workspace'), ...given }
  return only(await db.insert(workspaces).values(row).returning())
}

export async function createProject(
  db: Db,
  workspace: { id: string; organizationId: string },
  given: Partial<typeof projects.$inferInsert> = {},
): Promise<ProjectRow> {
  const { id: workspaceId, organizationId } = workspace
  const row = { id: uuidv7(), organizationId, workspaceId, name: unique('Project'), ...given }
  return only(await db.insert(projects).values(row).returning())
}

/** A service before its first script: off, at version 1, without a schedule and without system variables. */
export async function createService(
  db: Db,
  project: { id: string; organizationId: string },
  { label, ...given }: Partial<typeof services.$inferInsert> & { label?: string | null } = {},
): Promise<ServiceRow> {
  const { id: projectId, organizationId } = project
  const labels = label ? [label] : []
  const row = { id: uuidv7(), organizationId, projectId, name: unique('Service'), labels, ...given }
  return only(await db.insert(services).values(row).returning())
}

export type Tree = {
  organization: Organization
  /** A write key of the organization's owner. */
  owner: Key
  workspace: WorkspaceRow
  project: ProjectRow
}

/** An organization with a key of its owner, a workspace and a project in it. */
export async function createTree(db: Db): Promise<Tree> {
  const organization = await createOrganization(db)
  const workspace = await createWorkspace(db, organization)
  const project = await createProject(db, workspace)
  return { organization, owner: await createKey(db, organization.owner), workspace, project }
}

export type ServiceTree = Tree & { service: ServiceRow; ids: Record<ResourceType, string> }

/** A tree with a service in its project, and the ids of the three resources by their type. */
export async function createServiceTree(db: Db): Promise<ServiceTree> {
  const tree = await createTree(db)
  const service = await createService(db, tree.project)
  return { ...tree, service, ids: { workspace: tree.workspace.id, project: tree.project.id, service: service.id } }
}

/** A shared agent unless `organizationId` is given. */
export async function createAgent(db: Db, given: Partial<typeof agents.$inferInsert> = {}): Promise<AgentRow> {
  const slug = given.slug ?? unique('agent')
  return only(
    await db
      .insert(agents)
      .values({ id: uuidv7(), slug, label: slug, ...given })
      .returning(),
  )
}

function levels(sections: Sections = {}): Partial<Record<Section, 0 | 1 | 2>> {
  return Object.fromEntries(Object.entries(sections).map(([section, level]) => [section, LEVEL[level]]))
}

function only<T>(rows: T[]): T {
  return rows[0] as T
}

const FACTORIES = {
  organization: createOrganization,
  member: createMember,
  group: createGroup,
  grant: createGrant,
  key: createKey,
  session: createSession,
  workspace: createWorkspace,
  project: createProject,
  service: createService,
  tree: createTree,
  serviceTree: createServiceTree,
  agent: createAgent,
}

type Bound<F> = F extends (db: Db, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never
export type Factories = { readonly [Name in keyof typeof FACTORIES]: Bound<(typeof FACTORIES)[Name]> }

/** Returns the factories bound to a database: `factoriesOf(db).project(workspace)` is `createProject(db, workspace)`. */
export function factoriesOf(db: Db): Factories {
  const entries = Object.entries<(db: Db, ...rest: never[]) => unknown>(FACTORIES)
  const bound = entries.map(([name, create]) => [name, (...rest: never[]) => create(db, ...rest)])
  return Object.fromEntries(bound) as Factories
}
