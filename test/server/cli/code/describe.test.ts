import { expect, test } from 'vitest'
import type { DescribedProject, DescribedService, Folder } from '#server/cli/code/format/files.ts'
import { writeFolder } from '#server/cli/code/format/write.ts'
import { describe as describePresent } from '#server/cli/code/remote/describe.ts'
import type { Present, PresentProject, PresentService } from '#server/cli/code/remote/present.ts'

// An export into a folder that exists: no file of one resource is written over by another.

function present(projects: PresentProject[], isComplete = true): Present {
  const workspace = { id: 'w', name: 'Main', variables: [], webhooks: null, projects, isComplete }
  return { organization: null, workspaces: [workspace], agents: [], webhooks: null }
}

function project(name: string, services: PresentService[] = []): PresentProject {
  return { id: `project ${name}`, name, variables: [], webhooks: null, services }
}

function service(name: string, script: string): PresentService {
  return {
    ...{
      id: `service ${name}`,
      name,
      label: null,
      labels: [],
      schedule: '0 * * * *',
      timezone: null,
      serviceWindow: null,
    },
    ...{ isActive: true, script },
    ...{ probeMode: 'simultaneous', queuePolicy: 'enqueue_once', saveResponseBodies: false, sendTraceparent: true },
    ...{ version: 1, agents: [], variables: [], webhooks: null },
  }
}

function folder(...projects: DescribedProject[]): Folder {
  const main = { path: 'main/workspace.yaml', file: { kind: 'workspace' as const, name: 'Main' } }
  return { organization: null, workspaces: [main], projects }
}

function describedProject(path: string, name: string, services: DescribedService[] = []): DescribedProject {
  return { path: `${path}/soundline.yaml`, file: { kind: 'project', workspace: 'Main', name }, services }
}

function described(path: string, name: string, file: string, script: string): DescribedService {
  return { path, file: { kind: 'service', name, script: file }, script }
}

/** The scripts by the names of their services, as a reader of the written files finds them. */
function scriptsOf(exported: Folder): Record<string, [string, string | undefined]> {
  const files = writeFolder(exported)
  const services = exported.projects.flatMap((one) => one.services)
  return Object.fromEntries(
    services.map(({ path, file }) => {
      const script = new URL(file.script as string, `file:///${path}`).pathname.slice(1)
      return [file.name, [script, files.get(script)]]
    }),
  )
}

const pathsOf = ({ projects }: Folder) => Object.fromEntries(projects.map(({ path, file }) => [file.name, path]))

test('a new project does not take the folder of another', () => {
  const before = folder(describedProject('main/shop-eu', 'Shop EU'))
  const exported = describePresent(present([project('Shop (EU)'), project('Shop EU')]), before)
  expect(pathsOf(exported)).toEqual({
    'Shop EU': 'main/shop-eu/soundline.yaml',
    'Shop (EU)': 'main/shop-eu-2/soundline.yaml',
  })
  const alone = describePresent(present([project('Shop (EU)')], false), before)
  expect(pathsOf(alone)).toEqual({ 'Shop (EU)': 'main/shop-eu-2/soundline.yaml' })
})

test('a new workspace does not take the folder of another', () => {
  const all = present([project('Web')])
  const other = { id: 'o', name: '(Main)', variables: [], webhooks: null, projects: [project('Web')], isComplete: true }
  const before = folder(describedProject('main/web', 'Web'))
  const exported = describePresent({ ...all, workspaces: [other, ...all.workspaces] }, before)
  expect(exported.workspaces.map(({ path, file }) => [file.name, path])).toEqual([
    ['(Main)', 'main-2/workspace.yaml'],
    ['Main', 'main/workspace.yaml'],
  ])
  expect(exported.projects.map(({ path }) => path)).toEqual(['main-2/web/soundline.yaml', 'main/web/soundline.yaml'])
})

test('of services with one script, one that changed gets a file of its own', () => {
  const before = folder(
    describedProject('main/web', 'Web', [
      described('main/web/a.yaml', 'A', 'shared.lace', 'one'),
      described('main/web/b.yaml', 'B', 'shared.lace', 'one'),
      described('main/web/c.yaml', 'C', 'shared.lace', 'one'),
    ]),
    describedProject('main/other', 'Other', [described('main/other/d.yaml', 'D', '../web/d.lace', 'd')]),
  )
  const services = [service('A', 'two'), service('B', 'one'), service('C', 'one')]
  const exported = describePresent(present([project('Web', services)]), before)
  const expected = {
    A: ['main/web/a.lace', 'two'],
    B: ['main/web/shared.lace', 'one'],
    C: ['main/web/shared.lace', 'one'],
  }
  expect(scriptsOf(exported)).toEqual(expected)
  const more = present([project('Web', [...services, service('D', 'new')])])
  expect(scriptsOf(describePresent(more, before))).toEqual({ ...expected, D: ['main/web/d-2.lace', 'new'] })
})

test('a new service does not take the script of another', () => {
  const older = described('main/web/pay.yaml', 'Pay', 'checkout.lace', 'pay')
  const before = folder(describedProject('main/web', 'Web', [older]))
  const services = [service('Checkout', 'checkout'), service('Pay', 'pay')]
  expect(scriptsOf(describePresent(present([project('Web', services)]), before))).toEqual({
    Checkout: ['main/web/checkout-2.lace', 'checkout'],
    Pay: ['main/web/checkout.lace', 'pay'],
  })
})

test('two texts for one file are refused', () => {
  const services = [described('a.yaml', 'A', 's.lace', 'one'), described('b.yaml', 'B', 's.lace', 'two')]
  expect(() => writeFolder(folder(describedProject('.', 'Web', services)))).toThrow('different contents for s.lace')
})
