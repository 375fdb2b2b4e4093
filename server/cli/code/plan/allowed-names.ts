import { type Change, pathText } from './changes.ts'

/** Environment variables whose names a file may choose. The others of a pipeline hold its own credentials. */
const PREFIX = 'SOUNDLINE_VAR_'

export const ALLOW_ENV = {
  flags: '--allow-env <name>',
  description: `let fromEnv read this environment variable, whose name does not start with ${PREFIX}; can be repeated`,
  collect: (name: string, before: string[] | undefined) => [...(before ?? []), name],
}

/** Returns a problem for each changed variable whose `fromEnv` names an environment variable that must not be read. */
export function refusedNames(changes: readonly Change[], allowed: readonly string[]): string[] {
  return changes.flatMap((change) => {
    const name = change.kind === 'variable' ? change.value?.fromEnv : undefined
    if (change.kind !== 'variable' || name === undefined) return []
    if (name.startsWith(PREFIX) || allowed.includes(name)) return []
    const what = `${change.type} ${change.key} of ${pathText(change.path)}`
    return [`${what}: fromEnv: ${name} must start with ${PREFIX}, or be allowed by --allow-env ${name}`]
  })
}
