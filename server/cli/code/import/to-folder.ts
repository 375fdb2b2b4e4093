import { posix } from 'node:path'
import { withoutUserinfo } from '#server/script-import/request.ts'
import { toScript } from '#server/script-import/to-script.ts'
import type { DescribedService, Folder, VariableEntry } from '../format/files.ts'
import { fileNames } from '../format/paths.ts'
import { PROJECT_FILE } from '../format/read.ts'
import { type ImportedCheck, type ImportedChecks, type Note, Notes } from './checks.ts'

const SCRIPT_MAX = 65_536
const NAME_MAX = 128

/** Makes a project of imported checks, and collects what did not carry over. */
export function toFolder(
  imported: ImportedChecks,
  place: { workspace: string; project: string },
): { folder: Folder; notes: Note[] } {
  const notes = new Notes(imported.notes)
  const checks = uniquelyNamed(imported.checks)
  const base = fileNames([place.project])[0] as string
  const files = fileNames(
    checks.map(({ name }) => name),
    ['soundline', 'workspace', 'organization'],
  )
  const services = checks.flatMap((check, index) => {
    const service = serviceOf(check, posix.join(base, `${files[index]}.yaml`), notes)
    return service ? [service] : []
  })
  const { workspace, project: name } = place
  return {
    folder: {
      organization: null,
      workspaces: [],
      projects: [
        {
          path: posix.join(base, PROJECT_FILE),
          file: { kind: 'project', workspace, name, variables: imported.variables },
          services,
        },
      ],
    },
    notes: notes.all,
  }
}

/** Names are made of one line, and a name that occurs again gets a number. */
function uniquelyNamed(checks: ImportedCheck[]): ImportedCheck[] {
  const used = new Set<string>()
  return checks.map((check) => {
    const base =
      check.name
        .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
        .trim()
        .slice(0, NAME_MAX - 6) || 'unnamed'
    let name = base
    for (let n = 2; used.has(name); n++) name = `${base} ${n}`
    used.add(name)
    return { ...check, name }
  })
}

function serviceOf(check: ImportedCheck, path: string, notes: Notes): DescribedService | null {
  const { name, label, isActive, schedule, alerting } = check
  const own = Object.keys(check.variables ?? {})
  const { script, suggestions, notes: ofScript } = toScript(check.requests.map(withoutUserinfo), own)
  for (const { what, why, todo } of ofScript) notes.add(name, what, why, todo)
  if (script.length > SCRIPT_MAX) {
    const why = `A script has at most ${SCRIPT_MAX} characters.`
    notes.add(name, 'the whole check', why, 'Split it into several.')
    return null
  }
  const variables: Record<string, VariableEntry> = { ...check.variables }
  if (check.requests.some(({ isBelowBase }) => isBelowBase)) variables.base = { type: 'variable' }
  if (/\$s\.dollar\b/.test(script)) variables.dollar = { type: 'variable', value: '$' }
  for (const { key, from, isPlain, value } of suggestions) {
    if (key === 'dollar') continue
    if (isPlain) {
      variables[key] = { type: 'variable', ...(value !== undefined && { value }) }
      continue
    }
    variables[key] = { type: 'secret', allowedHosts: [] }
    notes.credential(name, from, `${key} of this service`)
  }
  const file = posix.basename(path).replace(/\.yaml$/, '.lace')
  return {
    path,
    script,
    file: {
      kind: 'service',
      name,
      ...(label !== undefined && { label }),
      isActive,
      ...(schedule !== undefined && { schedule }),
      script: file,
      ...(alerting && { alerting }),
      variables,
    },
  }
}
