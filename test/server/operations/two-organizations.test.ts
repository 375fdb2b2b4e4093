import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '#db/drizzle.cjs'
import type { JsonSchema } from '#server/fronts/rest/document-types.ts'
import { appRouter } from '#server/router.ts'
import { failureOf, testApi } from '#test/support/api/api.ts'
import { sampleOf } from '#test/support/schema-samples.ts'
import {
  createWholeOrganization,
  type OwnIds,
  PASSWORD,
  type WholeOrganization,
} from '#test/support/whole-organization.ts'

// Every operation, called by the owner of one organization. Each reference to another organization is absent, no response
// shows anything of that organization, and none of its rows changes.

const api = testApi()
let excludedAgentId: string
let ours: WholeOrganization
let theirs: WholeOrganization
/** What mutations change. A new one takes its place when an earlier mutation took away what an input needs. */
let changed: WholeOrganization
let rowsBefore: Rows
let theirIds: string[]

beforeAll(async () => {
  excludedAgentId = (await api.create.agent()).id
  ours = await createWholeOrganization(api, excludedAgentId, 'ours')
  theirs = await createWholeOrganization(api, excludedAgentId, 'theirs')
  changed = await createWholeOrganization(api, excludedAgentId, 'ours')
  rowsBefore = await rowsOf(theirs)
  const [all, shared] = [rowsBefore, await rowsOf(ours)].map((rows) => uuidsIn(JSON.stringify(rows)))
  theirIds = [...(all ?? [])].filter((id) => !shared?.has(id))
})

test('every table of organizations has rows of the other organization', () => {
  expect(Object.keys(rowsBefore).length).toBeGreaterThan(40)
  expect(Object.keys(rowsBefore).filter((table) => rowsBefore[table]?.length === 0)).toEqual([])
})

const procedures = Object.entries(appRouter._def.procedures).map(
  ([name, procedure]) => [name, procedure as unknown as Procedure] as const,
)
const isQuery = ({ _def }: Procedure) => _def.type === 'query'
const takesAway = (name: string) => /\.(remove|changePassword|transferOwnership)$/.test(name)
// Mutations add organizations, whose rows would fill the first pages of lists. What takes away something that others need
// comes last, what is inside before what contains it.
const operations = [
  ...procedures.filter(([, procedure]) => isQuery(procedure)),
  ...procedures.filter(([name, procedure]) => !isQuery(procedure) && !takesAway(name)),
  ...procedures.filter(([name]) => takesAway(name)).reverse(),
]

test.each(operations)('%s', async (name, procedure) => {
  const outcomes: Record<string, string> = {}
  const expected: Record<string, string> = { own: OWN[name] ?? 'ok' }
  for (const field of referencesOf(name, procedure)) {
    const input = { ...inputOf(name, procedure, ours.ids), ...referenceOf(name, field, theirs.ids) }
    outcomes[field] = await outcomeOf(name, ours, input)
    expected[field] = FOREIGN[name]?.[field] ?? 'not_found'
  }
  // The same input without their ids is accepted, so it is their ids that are refused.
  const own = isQuery(procedure) ? ours : changed
  outcomes.own = await outcomeOf(name, own, inputOf(name, procedure, own.ids)).catch(() => 'removed')
  if (outcomes.own !== expected.own && !outcomes.own.startsWith('shows')) {
    changed = await createWholeOrganization(api, excludedAgentId, 'ours')
    outcomes.own = await outcomeOf(name, changed, inputOf(name, procedure, changed.ids))
  }
  expect(outcomes).toEqual(expected)
  // What a query changed is found at the next mutation.
  if (isQuery(procedure)) return
  const before = rowsBefore
  rowsBefore = await rowsOf(theirs)
  expect(rowsBefore).toEqual(before)
})

/** Outcomes of references to another organization that are not `not_found`. */
const FOREIGN: Record<string, Record<string, string>> = {
  // Filters: nothing matches.
  'incidents.list': { assignee: 'ok' },
  'incidents.search': { assignee: 'ok' },
  'incidents.update': { assigneeId: 'field_invalid' },
  'agents.lost': { workspaceId: 'ok', projectId: 'ok', serviceId: 'ok' },
  'organization.audit.keyUsage': { keyId: 'ok' },
  'organization.audit.list': { entityId: 'ok', actorId: 'ok' },
  'status.board': { workspaceId: 'ok', projectId: 'ok' },
  'organization.agents.remove': { replaceWith: 'field_invalid' },
  'services.agents.set': { slugs: 'field_invalid' },
  'services.bulk.setAgents': { slugs: 'field_invalid' },
}

/** Outcomes of calls without references to another organization that are not `ok`. */
const OWN: Record<string, string> = {
  'account.confirmEmail': 'confirmation_invalid',
  // A passkey would be asked for in every operation that takes the password.
  'account.passkeys.add': 'invalid_passkey',
  'account.passkeys.remove': 'not_found',
  'account.passkeys.rename': 'not_found',
  'account.sendConfirmation': 'not_found',
  'account.totp.confirm': 'invalid_code',
  'account.totp.renewCodes': 'not_found',
  'auth.acceptInvitation': 'invitation_invalid',
  'auth.invitation': 'invitation_invalid',
  'auth.passwordReset': 'reset_invalid',
  'auth.resetPassword': 'reset_invalid',
  'auth.signInByPasskey': 'invalid_passkey',
  'auth.unsubscribe': 'unsubscribe_invalid',
  'auth.unsubscription': 'unsubscribe_invalid',
  'key.get': 'not_found',
  'setup.create': 'setup_complete',
  'setup.link': 'setup_complete',
  // These need a workspace, a project or a service.
  'maintenances.create': 'field_required',
  'services.hearers': 'invalid_request_body',
  'status.summary': 'invalid_request_body',
  'system.overview': 'not_found',
}

/** Values of fields for which `sampleOf` has none, or none that is accepted. */
const VALUES: Record<string, (ids: OwnIds) => Record<string, unknown>> = {
  'access.set': () => ({ principalType: 'user', permissions: 1 }),
  'account.changeEmail': () => ({ email: 'new@example.com' }),
  'account.changePassword': () => ({ newPassword: 'another horse battery' }),
  'account.keys.create': () => ({ expiresInDays: null }),
  'auth.requestPasswordReset': ({ email }) => ({ email }),
  'auth.resetPassword': () => ({ password: 'another horse battery' }),
  'auth.signIn': ({ email }) => ({ email }),
  'maintenances.create': () => ({ minutes: 20 }),
  'organization.alertQuestion.answer': () => ({ to: 'later' }),
  'organization.agents.remove': ({ spareSlug }) => ({ replaceWith: spareSlug }),
  'organization.domains.add': () => ({ domain: 'added.example' }),
  'organization.groups.create': () => ({ permissions: {} }),
  'organization.members.invite': () => ({ email: 'new@example.com' }),
  'organization.members.setPermissions': () => ({ permissions: {} }),
  'organization.remove': ({ name }) => ({ name }),
  'organization.webhooks.create': () => ({ url: 'https://hooks.example/' }),
  'services.bulk.setLabels': () => ({ set: [] }),
  'services.createWhole': () => ({ place: { workspaceName: 'New', projectName: 'New' } }),
  'services.saveScript': ({ version }) => ({ version: Number(version) }),
  'services.versions.get': ({ version }) => ({ version: Number(version) }),
  'services.versions.restore': ({ version }) => ({ version: Number(version), restore: Number(version) }),
  'setup.create': () => ({ email: 'new@example.com', password: PASSWORD }),
  'statistics.latency': () => ({ zone: 'UTC' }),
  'statistics.series': () => ({ zone: 'UTC' }),
  'statistics.week': () => ({ zone: 'UTC' }),
  'variables.reveal': () => ({ scope: 'workspace' }),
  'variables.setAllowedHosts': () => ({ scope: 'workspace' }),
  'variables.usage': () => ({ scope: 'workspace' }),
  'variables.values': () => ({ scope: 'workspace' }),
}

/** What the fields `id` and `ids` name, by the beginning of the operation's name. The first one that fits counts. */
const KINDS: [beginning: string, kind: keyof OwnIds][] = [
  ['account.keys', 'key'],
  ['account.sessions', 'session'],
  ['agents', 'agent'],
  ['batches', 'batch'],
  ['deletions', 'deletion'],
  ['drafts', 'draft'],
  ['incidents', 'incident'],
  ['metrics.project', 'project'],
  ['metrics.workspace', 'workspace'],
  ['maintenances', 'maintenance'],
  ['organization.bodyStores', 'bodyStore'],
  ['organization.domains', 'domain'],
  ['organization.invitations', 'invitation'],
  ['organization.webhooks.deliveries.list', 'webhook'],
  ['organization.webhooks.deliveries', 'delivery'],
  ['organization.webhooks', 'webhook'],
  ['projects', 'project'],
  ['silences', 'silence'],
  ['status.views', 'view'],
  ['variables.project', 'project'],
  ['variables.service', 'service'],
  ['variables.workspace', 'workspace'],
  ['variables', 'workspaceVariable'],
  ['webhooks.bindings', 'binding'],
  ['workspaces', 'workspace'],
  ['', 'service'],
]

/** What other fields name. */
const FIELDS: Record<string, keyof OwnIds> = {
  actorId: 'user',
  assignee: 'membership',
  assigneeId: 'membership',
  bindings: 'workspace',
  changes: 'service',
  entityId: 'workspace',
  groupId: 'group',
  groupIds: 'group',
  organizationId: 'organization',
  places: 'workspace',
  principalId: 'user',
  projectId: 'project',
  replaceWith: 'spareSlug',
  resourceId: 'workspace',
  resultId: 'result',
  runId: 'run',
  serviceId: 'service',
  serviceIds: 'service',
  slug: 'slug',
  slugs: 'slug',
  stepId: 'step',
  tokenId: 'token',
  userId: 'user',
  webhookId: 'webhook',
  workspaceId: 'workspace',
}

function kindOf(name: string, field: string): keyof OwnIds | undefined {
  // Organizations may have agents of the same name, and these operations create one.
  if (field === 'slug' && /\.(create|enrol)$/.test(name)) return undefined
  if (field === 'varId') return `${name.split('.')[1]}Variable` as keyof OwnIds
  if (field === 'keyId') return name.startsWith('organization.agents') ? 'agentKey' : 'key'
  if (field === 'id' || field === 'ids') return KINDS.find(([beginning]) => name.startsWith(beginning))?.[1]
  return FIELDS[field]
}

type Procedure = { _def: { type: string; inputs: z.ZodType[] } }

function schemaOf({ _def }: Procedure): { properties: Record<string, JsonSchema>; required: string[] } {
  const schemas = _def.inputs.map((input) => z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }))
  return {
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties)),
    required: schemas.flatMap(({ required }) => required ?? []),
  }
}

/** The fields of an operation's input that name something of an organization. */
function referencesOf(name: string, procedure: Procedure): string[] {
  const { properties } = schemaOf(procedure)
  const fields = Object.keys(properties)
  const unknown = fields.filter((field) => !kindOf(name, field) && JSON.stringify(properties[field]).includes('"uuid"'))
  // `place` holds a project or a workspace: `services.create` and `projects.create` take the same.
  expect(unknown.filter((field) => field !== 'place')).toEqual([])
  return fields.filter((field) => kindOf(name, field))
}

function referenceOf(name: string, field: string, ids: OwnIds): Record<string, unknown> {
  const id = ids[kindOf(name, field) as keyof OwnIds]
  if (field === 'bindings') return { bindings: [{ resourceType: 'workspace', resourceId: id }] }
  if (field === 'changes') return { changes: [{ serviceId: id, from: {}, to: {} }] }
  if (field === 'places') return { places: [{ resourceType: 'workspace', resourceId: id, permissions: 1 }] }
  return { [field]: field.endsWith('s') ? [id] : id }
}

function inputOf(name: string, procedure: Procedure, ids: OwnIds): Record<string, unknown> | undefined {
  if (procedure._def.inputs.length === 0) return undefined
  const { properties, required } = schemaOf(procedure)
  const given = VALUES[name]?.(ids) ?? {}
  const input = required.map((field) => {
    if (field in given) return {}
    if (kindOf(name, field)) return referenceOf(name, field, ids)
    return { [field]: field === 'password' ? PASSWORD : sampleOf(field, properties[field] as JsonSchema) }
  })
  return Object.assign({}, ...input, given)
}

/** Calls an operation, and returns `ok`, the code of the refusal, or what the response shows of the other organization. */
async function outcomeOf(name: string, { owner }: WholeOrganization, input: unknown): Promise<string> {
  let operation: unknown = await api.caller(owner)
  for (const part of name.split('.')) operation = (operation as Record<string, unknown>)[part]
  const answer = (operation as (input: unknown) => Promise<unknown>)(input)
  const refused = await answer.then(
    () => null,
    () => failureOf(answer),
  )
  if (!refused && isMissing(await answer)) return 'not_found'
  const text = JSON.stringify(refused?.details ?? (refused ? {} : await answer)) ?? ''
  // A refusal may repeat the name that it refuses.
  const shown = [...theirIds.filter((id) => text.includes(id)), ...(refused ? [] : (text.match(/theirs[\w-]*/g) ?? []))]
  return shown.length > 0 ? `shows ${shown}` : (refused?.code ?? 'ok')
}

/** Whether an operation that judges each id alone, and repeats it, found none. */
function isMissing(answer: unknown): boolean {
  const { incidents, services } = (answer ?? {}) as Record<'incidents' | 'services', Record<string, unknown>[]>
  const judged = incidents ?? services
  return (
    Array.isArray(judged) &&
    judged.length > 0 &&
    judged.every(({ outcome, reason }) => outcome === 'not_found' || reason === 'not_found')
  )
}

function uuidsIn(text: string): Set<string> {
  return new Set(text.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g))
}

/** The rows of an organization by table, as text. */
type Rows = Record<string, string[]>

async function rowsOf({ ids }: WholeOrganization): Promise<Rows> {
  const tables = await api.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`)
  const own = sql`organization_id = ${ids.organization}`
  const parts: [string, ReturnType<typeof sql>][] = [
    ...tables.map(({ name }): [string, ReturnType<typeof sql>] => [name, own]),
    ['organizations', sql`id = ${ids.organization}`],
    ['users', sql`id in (select user_id from memberships where ${own})`],
    ['agent_keys', sql`agent_id in (select id from agents where ${own})`],
  ]
  const selects = parts.map(
    ([name, where]) => sql`select ${name} as name, array(
      select t::text from ${sql.identifier(name)} t where ${where} order by 1) as rows`,
  )
  const found = await api.db.execute<{ name: string; rows: string[] }>(sql.join(selects, sql` union all `))
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows]))
}
