import { expect, test } from 'vitest'
import type { Folder } from '#server/cli/code/format/files.ts'
import { comparePlan } from '#server/cli/code/plan/compare.ts'
import type { Present } from '#server/cli/code/remote/present.ts'

// A service that names an agent which was switched off since: the server refuses the slug in every request.

function plan(wanted: string[]) {
  const file = { kind: 'service' as const, name: 'Cart', agents: wanted }
  const service = {
    ...{
      id: 's',
      name: 'Cart',
      label: null,
      labels: [],
      schedule: '0 * * * *',
      timezone: null,
      serviceWindow: null,
      isActive: false,
      script: null,
    },
    ...{ probeMode: 'consecutive', queuePolicy: 'skip', saveResponseBodies: true, sendTraceparent: false, version: 1 },
    ...{ agents: ['paris', 'retired'], variables: [], webhooks: null },
  }
  const project = { id: 'p', name: 'Shop', variables: [], webhooks: null, services: [service] }
  const workspace = { id: 'w', name: 'Main', variables: [], webhooks: null, projects: [project], isComplete: true }
  const present: Present = { organization: null, workspaces: [workspace], agents: ['paris'], webhooks: null }
  const folder: Folder = {
    organization: null,
    workspaces: [],
    projects: [
      {
        path: 'shop/soundline.yaml',
        file: { kind: 'project', workspace: 'Main', name: 'Shop' },
        services: [{ path: 'shop/cart.yaml', file, script: undefined }],
      },
    ],
  }
  return comparePlan(folder, present, { setsValues: false })
}

test('the agents stay while the file names the same, and none that is switched off may stand in a change', () => {
  expect(plan(['retired', 'paris'])).toMatchObject({ problems: [], changes: [] })
  expect(plan(['retired']).problems).toEqual([expect.stringContaining('no active agent retired')])
  expect(plan(['paris'])).toMatchObject({
    problems: [],
    changes: [{ fields: { agents: { from: ['paris', 'retired'], to: ['paris'] } } }],
  })
})
