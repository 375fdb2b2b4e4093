import type { Section } from '#server/schemas/account/sections.ts'
import { unique } from '#test/support/factories.ts'
import { SCRIPT } from '#test/support/runs/scripts.ts'

// Who may do what, as data, written from the contract and not from the code. A new operation of the public API needs a
// row in ROWS; the test says so when it has none.

export type Level = 'none' | 'visible' | 'read' | 'write'
export type TreeKind = 'workspace' | 'project' | 'service'
/** `incident`, `maintenance`: of a service. `silence`: the member's own. `binding`, `organizationVariable`: any of the organization. `all`: no resource. */
export type Kind =
  | TreeKind
  | 'batch'
  | 'incident'
  | 'maintenance'
  | 'silence'
  | 'binding'
  | 'organizationVariable'
  | 'all'

/**
 * Organization A has workspaces W and V; W has projects P and P2, V has Q; P has services S and S2, P2 has S3, Q has T.
 * Organization B has one of each.
 */
export const NODES = ['W', 'V', 'P', 'P2', 'Q', 'S', 'S2', 'S3', 'T'] as const
export type Node = (typeof NODES)[number]

const LETTER: Record<string, Level> = { '-': 'none', v: 'visible', r: 'read', w: 'write' }

function levels(letters: string): Record<Node, Level> {
  const each = letters.trim().split(/\s+/)
  return Object.fromEntries(NODES.map((node, index) => [node, LETTER[each[index] as string]])) as Record<Node, Level>
}

/** The reach of each principal in A by a section or grant, and the parents that a grant makes visible. */
export const REACH = {
  //                     W   V   P   P2  Q   S   S2  S3  T
  owner: levels('        w   w   w   w   w   w   w   w   w'),
  orgWrite: levels('     w   w   w   w   w   w   w   w   w'),
  orgRead: levels('      r   r   r   r   r   r   r   r   r'),
  orgNone: levels('      -   -   -   -   -   -   -   -   -'),
  workspaceWrite: levels('w  -   w   w   -   w   w   w   -'),
  workspaceRead: levels('r   -   r   r   -   r   r   r   -'),
  projectOnly: levels('  v   -   w   -   -   w   w   -   -'),
  serviceOnly: levels('  v   -   v   -   -   w   -   -   -'),
  throughGroup: levels(' w   -   w   w   -   w   w   w   -'),
  noGrant: levels('      -   -   -   -   -   -   -   -   -'),
  readKey: levels('      w   w   w   w   w   w   w   w   w'),
  otherOwner: levels('   -   -   -   -   -   -   -   -   -'),
  demoted: levels('      -   -   -   -   -   -   -   -   -'),
} as const

export type Principal = keyof typeof REACH
export const PRINCIPALS = Object.keys(REACH) as Principal[]

/** The grant of each principal; `throughGroup` has it through a group. */
export const GRANTS: Partial<Record<Principal, { node: Node; level: 1 | 2 }>> = {
  workspaceWrite: { node: 'W', level: 2 },
  workspaceRead: { node: 'W', level: 1 },
  projectOnly: { node: 'P', level: 2 },
  serviceOnly: { node: 'S', level: 2 },
  throughGroup: { node: 'W', level: 2 },
}

type Sections = Partial<Record<Section, 'read' | 'write'>>
const EVERY: Section[] = ['users', 'settings', 'domains', 'webhooks', 'orgAdmin', 'workspaces']
const all = (level: 'read' | 'write', but?: Section): Sections =>
  Object.fromEntries(EVERY.filter((section) => section !== but).map((section) => [section, level]))

/** Levels on organization sections; the owner and the owner's read key have write everywhere without any. */
export const SECTIONS: Record<Principal, Sections> = {
  owner: all('write'),
  orgWrite: all('write'),
  orgRead: all('read'),
  orgNone: {},
  workspaceWrite: {},
  workspaceRead: { webhooks: 'read' },
  projectOnly: { webhooks: 'write' },
  serviceOnly: {},
  throughGroup: { users: 'read', webhooks: 'write' },
  noGrant: all('write', 'workspaces'),
  readKey: all('write'),
  otherOwner: all('write'),
  demoted: {},
}

/** The target of a request. `parent` is the id of the containing resource instead of the resource's own. */
export const TARGETS: Record<Kind, readonly string[]> = {
  workspace: ['W', 'V', 'parent', 'foreign', 'absent'],
  project: ['P', 'P2', 'Q', 'parent', 'foreign', 'absent'],
  service: ['S', 'S2', 'S3', 'T', 'parent', 'foreign', 'absent'],
  batch: ['P', 'P2', 'Q', 'foreign', 'absent'],
  incident: ['S', 'S2', 'S3', 'T', 'foreign', 'absent'],
  maintenance: ['S', 'S2', 'S3', 'T', 'foreign', 'absent'],
  silence: ['mine', 'another', 'foreign', 'absent'],
  binding: ['S', 'T', 'foreign', 'absent'],
  organizationVariable: ['mine', 'foreign', 'absent'],
  all: ['none'],
}

/** The target resource of a request, and the rows that belong to it. */
export type Target = {
  kind: Kind
  id: string
  variableId: string
  bindingId: string
  /** A batch of runs of a project. */
  batchId: string
  /** The open incident of a service. */
  incidentId: string
  /** A past maintenance of a service. */
  maintenanceId: string
  resultId: string
  /** A waiting run of a service. */
  runId: string
  stepId: string
  version: number
  /** A member of the resource's organization who holds a grant on it. */
  granteeId: string
  /** A webhook of the resource's organization that is bound to nothing. */
  webhookId: string
}

export type Row = {
  /** The level needed on an organization section. It is checked before anything else: 403. */
  section?: [Section, 'read' | 'write']
  /** The kinds of resource that the operation takes as its target. */
  on: Kind | TreeKind[]
  /** The level needed on the target, or else 404. */
  level: Level
  query?: (target: Target) => Record<string, string>
  body?: (target: Target) => unknown
  /** What the response may show of the tree to a member with this reach: names of nodes, or sums over services. */
  shows?: 'workspaces' | 'projects' | 'services' | 'incidents' | 'metrics' | 'toggled' | 'outcomes'
}

const on = (kind: Row['on'], level: Level, rest: Omit<Row, 'on' | 'level'> = {}): Row => ({ on: kind, level, ...rest })
const anyone = (rest: Omit<Row, 'on' | 'level'> = {}): Row => on('all', 'none', rest)

const TREE: TreeKind[] = ['workspace', 'project', 'service']
const WEBHOOKS_READ: Pick<Row, 'section'> = { section: ['webhooks', 'read'] }
const WEBHOOKS_WRITE: Pick<Row, 'section'> = { section: ['webhooks', 'write'] }
const SETTINGS_READ: Pick<Row, 'section'> = { section: ['settings', 'read'] }
const SETTINGS_WRITE: Pick<Row, 'section'> = { section: ['settings', 'write'] }
const rename = () => ({ name: unique('Renamed') })
const newVariable = () => ({ key: uniqueKey(), value: '1', type: 'metric' })
const asResource = ({ kind, id }: Target) => ({ resourceType: kind, resourceId: id })

/** By operationId. */
export const ROWS: Record<string, Row> = {
  getKey: anyone(),

  listWorkspaces: anyone({ shows: 'workspaces' }),
  createWorkspace: anyone({ section: ['workspaces', 'write'], body: rename }),
  getWorkspace: on('workspace', 'visible'),
  renameWorkspace: on('workspace', 'write', { body: rename }),
  deleteWorkspace: on('workspace', 'write'),
  runWorkspace: on('workspace', 'write'),
  toggleWorkspaceServices: on('workspace', 'write', { body: () => ({ isActive: false }), shows: 'toggled' }),

  listProjects: on('workspace', 'visible', { query: ({ id }) => ({ workspaceId: id }), shows: 'projects' }),
  createProject: on('workspace', 'write', { body: ({ id }) => ({ workspaceId: id, ...rename() }) }),
  getProject: on('project', 'visible'),
  renameProject: on('project', 'write', { body: rename }),
  deleteProject: on('project', 'write'),
  runProject: on('project', 'write'),
  toggleProjectServices: on('project', 'write', { body: () => ({ isActive: false }), shows: 'toggled' }),

  listServices: on('project', 'visible', { query: ({ id }) => ({ projectId: id }), shows: 'services' }),
  createService: on('project', 'write', { body: ({ id }) => ({ projectId: id, script: SCRIPT, ...rename() }) }),
  getService: on('service', 'read'),
  updateService: on('service', 'write', { body: () => ({ label: 'changed' }) }),
  deleteService: on('service', 'write'),
  saveServiceScript: on('service', 'write', { body: ({ version }) => ({ script: `${SCRIPT}\n`, version }) }),
  getServiceSnapshot: on('service', 'read'),
  toggleService: on('service', 'write', { body: () => ({ isActive: false }) }),
  runService: on('service', 'write'),
  listRuns: on('service', 'read'),
  getRun: on('service', 'read'),
  cancelRun: on('service', 'write'),
  getServiceAlerting: on('service', 'read'),
  getServiceAgents: on('service', 'read'),
  setServiceAgents: on('service', 'write', { body: () => ({ slugs: [] }) }),
  listAgents: anyone(),
  getAgentHealth: anyone(SETTINGS_READ),
  getAgentHistory: anyone(SETTINGS_READ),

  listOrganizationVariables: anyone(SETTINGS_READ),
  createOrganizationVariable: anyone({ ...SETTINGS_WRITE, body: newVariable }),
  updateOrganizationVariable: on('organizationVariable', 'write', { ...SETTINGS_WRITE, body: () => ({ value: '2' }) }),
  deleteOrganizationVariable: on('organizationVariable', 'write', SETTINGS_WRITE),
  ...variableRows('workspace'),
  ...variableRows('project'),
  ...variableRows('service'),

  listResults: on('service', 'read'),
  getResult: on('service', 'read'),
  getStepBody: on('service', 'read'),

  listIncidents: on(TREE, 'visible', { query: ({ kind, id }) => ({ [`${kind}Id`]: id }), shows: 'incidents' }),
  getBatch: on('batch', 'visible'),
  getIncident: on('incident', 'read'),
  acknowledgeIncident: on('incident', 'write'),
  unacknowledgeIncident: on('incident', 'write'),
  acknowledgeIncidents: on('incident', 'write', { body: ({ id }) => ({ ids: [id] }), shows: 'outcomes' }),
  unacknowledgeIncidents: on('incident', 'write', { body: ({ id }) => ({ ids: [id] }), shows: 'outcomes' }),
  updateIncident: on('incident', 'write', { body: () => ({ severity: 'high' }) }),
  listIncidentAssignees: on('incident', 'write'),
  addIncidentNote: on('incident', 'write', { body: () => ({ text: 'noted' }) }),

  getServiceMetrics: on('service', 'read', { shows: 'metrics' }),
  getServiceMetricsHistory: on('service', 'read'),
  getServiceStatistics: on('service', 'read'),
  getServiceEndpointSeries: on('service', 'read'),
  getServiceAssertionFailures: on('service', 'read'),
  getServiceFailureHeatmap: on('service', 'read'),
  getProjectMetrics: on('project', 'visible', { shows: 'metrics' }),
  getProjectMetricsHistory: on('project', 'visible'),
  getWorkspaceMetrics: on('workspace', 'visible', { shows: 'metrics' }),
  getWorkspaceMetricsHistory: on('workspace', 'visible'),

  listMaintenances: on(TREE, 'read', { query: ({ kind, id }) => ({ [`${kind}Id`]: id }) }),
  createMaintenance: on(TREE, 'write', { body: ({ kind, id }) => ({ minutes: 1, [`${kind}Id`]: id }) }),
  getMaintenance: on('maintenance', 'read'),
  updateMaintenance: on('maintenance', 'write', { body: () => ({ note: 'noted' }) }),
  deleteMaintenance: on('maintenance', 'write'),

  listSilences: anyone(),
  createSilence: on(TREE, 'visible', { body: ({ kind, id }) => ({ channel: 'all', [`${kind}Id`]: id }) }),
  getSilence: on('silence', 'write'),
  updateSilence: on('silence', 'write', { body: () => ({ channel: 'email' }) }),
  deleteSilence: on('silence', 'write'),

  listAccess: on(TREE, 'write'),
  setAccess: on(TREE, 'write', {
    body: ({ granteeId }) => ({ principalType: 'user', principalId: granteeId, permissions: 2 }),
  }),
  removeAccess: on(TREE, 'write'),

  listMembers: anyone({ section: ['users', 'read'] }),
  listGroups: anyone({ section: ['users', 'read'] }),

  listWebhooks: anyone(WEBHOOKS_READ),
  listWebhookBindings: on(TREE, 'read', { ...WEBHOOKS_READ, query: asResource }),
  createWebhookBinding: on(TREE, 'write', {
    ...WEBHOOKS_WRITE,
    query: asResource,
    body: ({ webhookId }) => ({ webhookId }),
  }),
  updateWebhookBinding: on('binding', 'write', { ...WEBHOOKS_WRITE, body: () => ({ enabled: false }) }),
  deleteWebhookBinding: on('binding', 'write', WEBHOOKS_WRITE),
}

function variableRows(kind: TreeKind): Record<string, Row> {
  const scope = `${kind[0]?.toUpperCase()}${kind.slice(1)}`
  return {
    [`list${scope}Variables`]: on(kind, 'read'),
    [`create${scope}Variable`]: on(kind, 'write', { body: newVariable }),
    [`update${scope}Variable`]: on(kind, 'write', { body: () => ({ value: '2' }) }),
    [`delete${scope}Variable`]: on(kind, 'write'),
    [`get${scope}VariableHierarchy`]: on(kind, 'read'),
  }
}

/** Ids that do not belong together: 404 even for a caller who may perform the operation. */
export type Mixed = {
  operationId: string
  what: string
  /** Ids come from these nodes; `absent` does not exist. */
  ids: Partial<Record<'id' | 'varId' | 'resultId' | 'runId' | 'stepId' | 'principalId' | 'webhookId', Node | 'absent'>>
  principalType?: 'user' | 'group'
}

export const MIXED: Mixed[] = [
  ...(['updateServiceVariable', 'deleteServiceVariable'] as const).flatMap((operationId): Mixed[] => [
    { operationId, what: "a sibling's variable", ids: { id: 'S', varId: 'S2' } },
    { operationId, what: "the project's variable", ids: { id: 'S', varId: 'P' } },
    { operationId, what: 'no variable', ids: { id: 'S', varId: 'absent' } },
  ]),
  ...(['updateProjectVariable', 'deleteProjectVariable'] as const).flatMap((operationId): Mixed[] => [
    { operationId, what: "a service's variable", ids: { id: 'P', varId: 'S' } },
    { operationId, what: "a sibling's variable", ids: { id: 'P', varId: 'P2' } },
  ]),
  ...(['updateWorkspaceVariable', 'deleteWorkspaceVariable'] as const).flatMap((operationId): Mixed[] => [
    { operationId, what: "a project's variable", ids: { id: 'W', varId: 'P' } },
    { operationId, what: "another workspace's variable", ids: { id: 'W', varId: 'V' } },
  ]),
  ...(['updateOrganizationVariable', 'deleteOrganizationVariable'] as const).map(
    (operationId): Mixed => ({ operationId, what: "a workspace's variable", ids: { varId: 'W' } }),
  ),
  { operationId: 'getResult', what: "a sibling's result", ids: { id: 'S', resultId: 'S2' } },
  ...(['getRun', 'cancelRun'] as const).flatMap((operationId): Mixed[] => [
    { operationId, what: "a sibling's run", ids: { id: 'S', runId: 'S2' } },
    { operationId, what: 'no run', ids: { id: 'S', runId: 'absent' } },
  ]),
  { operationId: 'getStepBody', what: "a sibling's step", ids: { id: 'S', resultId: 'S', stepId: 'S2' } },
  { operationId: 'getStepBody', what: "a sibling's result", ids: { id: 'S', resultId: 'S2', stepId: 'S2' } },
  { operationId: 'createWebhookBinding', what: 'no webhook', ids: { id: 'S', webhookId: 'absent' } },
  ...(['setAccess', 'removeAccess'] as const).flatMap((operationId): Mixed[] => [
    { operationId, what: 'no member', ids: { id: 'S', principalId: 'absent' } },
    { operationId, what: 'no group', ids: { id: 'S', principalId: 'absent' }, principalType: 'group' },
    { operationId, what: 'a member as a group', ids: { id: 'S', principalId: 'S' }, principalType: 'group' },
  ]),
]

export function uniqueKey(): string {
  return unique('key').replace('-', '_')
}
