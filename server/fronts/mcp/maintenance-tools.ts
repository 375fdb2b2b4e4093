import { z } from 'zod'
import { Id } from '../../schemas/conventions.ts'
import {
  MAINTENANCE_MODES,
  MAINTENANCE_NOTE_MAX,
  MAINTENANCE_STATES,
  type Maintenance,
} from '../../schemas/maintenances/maintenances.ts'
import { defineTool } from './tool.ts'

const SHOWN = 25
/** A day: what lasts longer is planned by people. */
const MINUTES_MAX = 1_440

const Scope = {
  serviceId: Id.optional(),
  projectId: Id.optional(),
  workspaceId: Id.optional().meta({ description: 'Give one of the three ids.' }),
}

export const startMaintenance = defineTool({
  name: 'start_maintenance',
  title: 'Start a maintenance',
  description:
    'Starts a maintenance of a service, a project or a workspace, such as for a deploy: results count for no state, ' +
    'incident or uptime while it is on, and nobody is notified. `skip` also starts no scheduled runs. What still fails ' +
    'after the end is an incident then. End it with end_maintenance as soon as the work is done.',
  access: 'write',
  input: z.object({
    ...Scope,
    minutes: z.int().min(1).max(MINUTES_MAX).meta({ description: 'When it ends at the latest.' }),
    mode: z.enum(MAINTENANCE_MODES).default('mute'),
    note: z.string().max(MAINTENANCE_NOTE_MAX).optional().meta({ description: 'Why, in one line.' }),
  }),
  run: async (input, { call }) => {
    const started = await call((caller) => caller.maintenances.create(input))
    return { summary: `Maintenance of ${started.resourceName} until ${started.endsAt}`, data: present(started) }
  },
})

export const endMaintenance = defineTool({
  name: 'end_maintenance',
  title: 'End a maintenance',
  description: 'Ends a maintenance that is on now. One that is past stays as it is.',
  access: 'write',
  input: z.object({ maintenanceId: Id }),
  run: async ({ maintenanceId: id }, { call }) => {
    const ended = await call((caller) => caller.maintenances.update({ id, end: true }))
    return { summary: `The maintenance of ${ended.resourceName} is ${ended.state}`, data: present(ended) }
  },
})

export const listMaintenances = defineTool({
  name: 'list_maintenances',
  title: 'List maintenances',
  description: `Lists maintenances, those that are on first, ${SHOWN} per page: what they cover, until when, who started them and why.`,
  access: 'read',
  input: z.object({
    ...Scope,
    state: z.enum(MAINTENANCE_STATES).optional(),
    page: z.int().min(1).max(1_000).default(1),
  }),
  run: async (query, { call }) => {
    const { items, total } = await call((caller) => caller.maintenances.list({ ...query, pageSize: SHOWN }))
    return {
      summary: `${items.length} of ${total} maintenances`,
      data: { total, page: query.page, pageSize: SHOWN, maintenances: items.map(present) },
    }
  },
})

function present({ createdBy, endedBy, ...maintenance }: Maintenance): Record<string, unknown> {
  return { ...maintenance, createdBy: createdBy.name, endedBy: endedBy?.name ?? null }
}
