import type { Cli } from '../../cli.ts'
import { CliError } from '../../exit-codes.ts'
import { type Change, type NamedVariable, pathText, type VariableChange } from '../plan/changes.ts'

const SCOPES = ['ORGANIZATION', 'WORKSPACE', 'PROJECT', 'SERVICE'] as const

/**
 * Returns the values that the changes need: from the environment, from the file, or by asking on a terminal.
 * `described` are all variables of the folder.
 * @throws CliError that names every missing value, and every environment variable that could mean several
 */
export async function readValues(
  cli: Cli,
  changes: readonly Change[],
  described: readonly NamedVariable[],
): Promise<Map<Change, string>> {
  const values = new Map<Change, string>()
  const missing: VariableChange[] = []
  const used: Use[] = []
  for (const change of changes) {
    if (change.kind !== 'variable' || change.value === null) continue
    const use = usesOf(change).find(({ name }) => cli.environment[name])
    if (use) used.push(use)
    const value = use ? cli.environment[use.name] : change.value.literal
    if (value === undefined) missing.push(change)
    else values.set(change, value)
  }
  refuseAmbiguous(used, described)
  if (cli.ask === null) refuseMissing(missing)
  for (const change of missing) {
    const value = await cli.ask?.(`${describe(change)}: `, { isSecret: change.type === 'secret' })
    if (!value) refuseMissing([change])
    else values.set(change, value)
  }
  return values
}

function refuseMissing(missing: readonly VariableChange[]): void {
  if (missing.length === 0) return
  const lines = missing.map((change) => `  ${describe(change)}: set ${environmentNames(change).join(' or ')}`)
  throw new CliError(['Values are missing, and nothing was changed:', ...lines].join('\n'))
}

/** One value must not become that of two variables by accident: `WEB_TOKEN` of any project is not `TOKEN` of the project Web. */
function refuseAmbiguous(used: readonly Use[], described: readonly NamedVariable[]): void {
  const all = [...used, ...described.filter(({ value }) => !value?.fromEnv).flatMap(usesOf)]
  const lines = [...new Set(used.map(({ name }) => name))].flatMap((wanted) => {
    const meanings = new Set(all.flatMap(({ name, meaning }) => (name === wanted && meaning ? [meaning] : [])))
    return meanings.size < 2 ? [] : [`  ${wanted}: ${[...meanings].join(', or ')}`]
  })
  if (lines.length === 0) return
  const title =
    'Nothing was changed: these environment variables match several variables. Name a different one for each in fromEnv:'
  throw new CliError([title, ...lines].join('\n'))
}

/** An environment variable that a value may come from. What the file names has no meaning of its own. */
type Use = { name: string; meaning: string | null }

function usesOf({ path, key, value }: NamedVariable): Use[] {
  const scope = SCOPES[path.length] as string
  const prefix = `SOUNDLINE_VAR_${scope}`
  const kind = scope.toLowerCase()
  const own = path.length === 0 ? undefined : path.at(-1)
  return [
    ...(value?.fromEnv ? [{ name: value.fromEnv, meaning: null }] : []),
    ...(own === undefined
      ? []
      : [
          {
            name: `${prefix}_${upperSnake(own)}_${upperSnake(key)}`,
            meaning: `${key} of the ${kind} ${pathText([own])}`,
          },
        ]),
    { name: `${prefix}_${upperSnake(key)}`, meaning: own === undefined ? key : `${key} of any ${kind}` },
  ]
}

/** The names that are tried, in this order, such as `SOUNDLINE_VAR_PROJECT_WEB_TOKEN` before `SOUNDLINE_VAR_PROJECT_TOKEN`. */
function environmentNames(variable: NamedVariable): string[] {
  return usesOf(variable).map(({ name }) => name)
}

function upperSnake(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
}

function describe({ type, key, path }: VariableChange): string {
  return `${type} ${key} of ${pathText(path)}`
}
