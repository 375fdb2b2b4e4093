import { z } from 'zod'
import { Id } from '../../schemas/conventions.ts'
import type { BoardService } from '../../schemas/status/board.ts'
import { SEARCH_MAX } from '../../schemas/status/search-terms.ts'
import { defineTool, type ToolOutput, type ToolRequest } from './tool.ts'

const SHOWN = 25

const Page = z
  .int()
  .min(1)
  .max(1_000)
  .default(1)
  .meta({ description: `Each page has ${SHOWN} services.` })

export const listFailing = defineTool({
  name: 'list_failing',
  title: 'List failing services',
  description:
    'Lists the services that fail, are degraded, or are unknown because they have not run for too long, the worst first, ' +
    'each with its cause in one line, since when, and its open incident. Start here when someone asks what is broken.',
  access: 'read',
  input: z.object({ page: Page }),
  run: ({ page }, request) => readServices(request, 'state:failing state:degraded state:unknown', page),
})

export const findServices = defineTool({
  name: 'find_services',
  title: 'Find services',
  description:
    'Finds services by parts of their names, labels, URLs and hosts, and by terms: `state:failing` (also degraded, unknown, passing, pending, paused), ' +
    '`label:critical`, `host:shop.example`, `agent:eu-1`, `workspace:"My shop"`, `project:web`. Terms combine. An empty query returns all ' +
    'services. The ids that other tools need come from here.',
  access: 'read',
  input: z.object({
    query: z.string().max(SEARCH_MAX).default('').meta({ description: 'Such as `checkout state:failing`.' }),
    page: Page,
  }),
  run: ({ query, page }, request) => readServices(request, query, page),
})

export const readService = defineTool({
  name: 'read_service',
  title: 'Read a service',
  description:
    'Returns a service with its script, schedule, state, latest failure and metrics, and the names of the variables ' +
    'that its script can read. Values are not included.',
  access: 'read',
  input: z.object({ serviceId: Id }),
  run: async ({ serviceId: id }, { call }) => {
    const [service, { scopes }] = await call((caller) =>
      Promise.all([caller.services.get({ id }), caller.variables.service.hierarchy({ id })]),
    )
    return {
      summary: `${service.name}: ${service.state}${service.stateSince ? ` since ${service.stateSince}` : ''}`,
      data: {
        service,
        // As scripts write them.
        variables: scopes.flatMap(({ prefix, variables, locked }) =>
          [...variables, ...locked].map(({ key }) => `${prefix}${key}`),
        ),
      },
    }
  },
})

async function readServices({ call }: ToolRequest, q: string, page: number): Promise<ToolOutput> {
  const board = await call((caller) => caller.status.board({ q, page, pageSize: SHOWN }))
  const { counts, total, problems } = board
  return {
    summary: `${total} ${total === 1 ? 'service' : 'services'}${problems.map((problem) => ` – ${problem}`).join('')}`,
    data: { total, page: board.page, pageSize: SHOWN, counts, problems, services: board.services.map(presentService) },
  }
}

function presentService(service: BoardService): Record<string, unknown> {
  const { trend: _trend, runs, version: _version, ...shown } = service
  return { ...shown, latestRuns: runs.slice(-10) }
}
