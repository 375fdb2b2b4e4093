import { expect, test } from 'vitest'
import type { Cli } from '#server/cli/cli.ts'
import { readValues } from '#server/cli/code/apply/values.ts'
import type { NamedVariable, VariableChange } from '#server/cli/code/plan/changes.ts'

// Where `apply` takes values from, and which it refuses.

function change(path: string[], key: string, fromEnv?: string): VariableChange {
  const value = fromEnv ? { fromEnv } : {}
  return { kind: 'variable', op: 'create', path, key, type: 'secret', value, fields: {} }
}

async function valuesOf(
  environment: Record<string, string>,
  changes: VariableChange[],
  described: NamedVariable[] = [],
) {
  const values = await readValues({ environment, ask: null } as Partial<Cli> as Cli, changes, described)
  return changes.map((one) => values.get(one))
}

const TOKEN = change(['Shop', 'Web'], 'TOKEN')
const WEB_TOKEN = change(['Shop', 'Api'], 'WEB_TOKEN')

test('an empty environment variable counts as not set', async () => {
  await expect(valuesOf({ SOUNDLINE_VAR_PROJECT_TOKEN: '' }, [TOKEN])).rejects.toThrow('Values are missing')
  const generic = { SOUNDLINE_VAR_PROJECT_WEB_TOKEN: '', SOUNDLINE_VAR_PROJECT_TOKEN: 'b' }
  expect(await valuesOf(generic, [TOKEN])).toEqual(['b'])
})

test('a generic name serves every resource', async () => {
  const changes = [TOKEN, change(['Shop', 'Api'], 'TOKEN')]
  expect(await valuesOf({ SOUNDLINE_VAR_PROJECT_TOKEN: 'b' }, changes)).toEqual(['b', 'b'])
})

test.each([
  ['TOKEN of Web and WEB_TOKEN of any project', [TOKEN, WEB_TOKEN], []],
  ['the same, while one has its value already', [WEB_TOKEN], [TOKEN, WEB_TOKEN]],
])('an environment variable is refused that could be %s', async (_, changes, described) => {
  const environment = { SOUNDLINE_VAR_PROJECT_WEB_TOKEN: 'a' }
  const refused = 'SOUNDLINE_VAR_PROJECT_WEB_TOKEN: '
  await expect(valuesOf(environment, changes, described)).rejects.toThrow(refused)
  // With fromEnv, each has a value of its own.
  const named = [change(['Shop', 'Web'], 'TOKEN', 'WEB'), change(['Shop', 'Api'], 'WEB_TOKEN', 'API')]
  expect(await valuesOf({ ...environment, WEB: 'w', API: 'x' }, named, named)).toEqual(['w', 'x'])
})

test('an environment variable is refused that could be of two names without Latin letters', async () => {
  const changes = [change(['Shop', '日本'], 'TOKEN'), change(['Shop', '東京'], 'TOKEN')]
  await expect(valuesOf({ SOUNDLINE_VAR_PROJECT___TOKEN: 'a' }, changes)).rejects.toThrow('of the project 東京')
})
