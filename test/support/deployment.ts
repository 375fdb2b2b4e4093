import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { ROOT } from '#server/process/program.ts'
import { agentSettingsSchema } from '#worker/agent/settings.ts'

export const DEPLOY = join(ROOT, 'server/deploy')

export function readDeployFile(path: string): string {
  return readFileSync(join(DEPLOY, path), 'utf8')
}

/** Returns the documents of a YAML file. @throws Error when one does not parse, or repeats a key */
export function readYaml(path: string): unknown[] {
  return parseAllDocuments(readDeployFile(path), { merge: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors.join('; ')}`)
    return document.toJS()
  })
}

/** Returns the names of all settings, those of remote agents included. */
export function settingNames(): Set<string> {
  const source = readFileSync(join(ROOT, 'server/process/settings.ts'), 'utf8')
  const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name as string)
  return new Set([...names, ...Object.keys(agentSettingsSchema.shape)])
}
