import type { Cli } from '../../cli.ts'
import { CliError } from '../../exit-codes.ts'
import { type Change, pathText, type VariableChange } from '../plan/changes.ts'

const SCOPES = ['ORGANIZATION', 'WORKSPACE', 'PROJECT', 'SERVICE'] as const

/**
 * Returns the values that the changes need: from the environment, from the file, or by asking on a terminal.
 * @throws CliError that names every missing value
 */
export async function readValues(cli: Cli, changes: readonly Change[]): Promise<Map<Change, string>> {
  const values = new Map<Change, string>()
  const missing: VariableChange[] = []
  for (const change of changes) {
    if (change.kind !== 'variable' || change.value === null) continue
    const value = fromEnvironment(cli, change) ?? change.value.literal
    if (value === undefined) missing.push(change)
    else values.set(change, value)
  }
  if (missing.length > 0 && cli.ask === null) {
    const lines = missing.map((change) => `  ${describe(change)}: set ${environmentNames(change).join(' or ')}`)
    throw new CliError(['Values are missing, and nothing was changed:', ...lines].join('\n'))
  }
  for (const change of missing) {
    const isSecret = change.type === 'secret'
    values.set(change, (await cli.ask?.(`${describe(change)}: `, { isSecret })) ?? '')
  }
  return values
}

function fromEnvironment(cli: Cli, change: VariableChange): string | undefined {
  const name = environmentNames(change).find((one) => cli.environment[one] !== undefined)
  return name === undefined ? undefined : cli.environment[name]
}

/** The names that are tried, in this order, such as `SOUNDLINE_VAR_PROJECT_WEB_TOKEN` before `SOUNDLINE_VAR_PROJECT_TOKEN`. */
export function environmentNames({ path, key, value }: Pick<VariableChange, 'path' | 'key' | 'value'>): string[] {
  const scope = `SOUNDLINE_VAR_${SCOPES[path.length]}`
  const own = path.length === 0 ? [] : [`${scope}_${upperSnake(path.at(-1) as string)}_${upperSnake(key)}`]
  return [...(value?.fromEnv ? [value.fromEnv] : []), ...own, `${scope}_${upperSnake(key)}`]
}

function upperSnake(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
}

function describe({ type, key, path }: VariableChange): string {
  return `${type} ${key} of ${pathText(path)}`
}
