import { posix } from 'node:path'
import { validateScript } from '../../../language/lace/validator.ts'
import { withoutUserinfo } from '../../../language/script-import/request.ts'
import { toScript } from '../../../language/script-import/to-script.ts'
import { SCRIPT_LIMITS, SCRIPT_MAX } from '../../../schemas/scripts/limits.ts'
import { VARIABLE_VALUE_MAX } from '../../../schemas/variables.ts'
import { VARIABLE_SCOPES } from '../../scripts/variable-scope-names.ts'
import { type DescribedService, type Folder, ServiceFile, type VariableEntry } from '../format/files.ts'
import { fileNames } from '../format/paths.ts'
import { PROJECT_FILE } from '../format/read.ts'
import { type ImportedCheck, type ImportedChecks, type Note, Notes } from './checks.ts'

type Service = DescribedService & { script: string }

/** Builds a project from imported checks, and collects notes about lost parts. */
export function toFolder(
  imported: ImportedChecks,
  place: { workspace: string; project: string },
): { folder: Folder; notes: Note[] } {
  const notes = new Notes(imported.notes)
  const checks = imported.checks.map((check) => ({ ...check, name: notes.nameOf(check.name) }))
  const base = fileNames([place.project])[0] as string
  const files = fileNames(
    checks.map(({ name }) => name),
    ['soundline', 'workspace', 'organization'],
  )
  const made = checks.map((check, index) => serviceOf(check, posix.join(base, `${files[index]}.yaml`), notes))
  // Which variables the checks share is known when all scripts are written.
  const shared = withinLength(imported.variables, 'all', 'of the project', notes)
  const services = made.filter((service) => {
    const problem = problemOf(service, shared)
    if (problem === null) return true
    const why = `Soundline would refuse it: ${problem}.`
    notes.add(service.file.name, 'the whole check', why, 'Write the script by hand.')
    return false
  })
  const { workspace, project: name } = place
  return {
    folder: {
      organization: null,
      workspaces: [],
      projects: [
        {
          path: posix.join(base, PROJECT_FILE),
          file: { kind: 'project', workspace, name, variables: shared },
          services,
        },
      ],
    },
    notes: notes.all,
  }
}

function serviceOf(check: ImportedCheck, path: string, notes: Notes): Service {
  const { name, labels, isActive, schedule, alerting } = check
  const own = Object.keys(check.variables ?? {})
  const { script, suggestions, notes: ofScript } = toScript(check.requests.map(withoutUserinfo), own)
  for (const { what, why, todo } of ofScript) notes.add(name, what, why, todo)
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
  const file: ServiceFile = {
    kind: 'service',
    name,
    ...(labels && (labels.length > 1 ? { labels } : { label: labels[0] ?? null })),
    isActive,
    ...(schedule !== undefined && { schedule }),
    script: posix.basename(path).replace(/\.yaml$/, '.lace'),
    ...(alerting && { alerting }),
    variables: withinLength(variables, name, `of this service`, notes),
  }
  return { path, script, file }
}

/** Returns why the server would refuse the service; null when it would not. */
function problemOf({ script, file }: Service, shared: Record<string, VariableEntry>): string | null {
  if (script.length > SCRIPT_MAX) return `a script has at most ${SCRIPT_MAX} characters`
  const names = { o: [], w: [], p: Object.keys(shared), s: Object.keys(file.variables ?? {}) }
  const [error] = validateScript(script, { ...SCRIPT_LIMITS, scopes: VARIABLE_SCOPES, variables: names }).errors
  if (error) return `line ${error.line ?? 1} of its script, ${error.detail}`
  const [issue] = ServiceFile.safeParse(file).error?.issues ?? []
  return issue ? `${issue.path.join('.')} ${issue.message}` : null
}

/** Drops values that are too long for a variable. */
function withinLength(
  variables: Record<string, VariableEntry>,
  check: string,
  where: string,
  notes: Notes,
): Record<string, VariableEntry> {
  const entries = Object.entries(variables).map(([key, entry]): [string, VariableEntry] => {
    const { value, ...rest } = entry
    if (value === undefined || value.length <= VARIABLE_VALUE_MAX) return [key, entry]
    const why = `A value has at most ${VARIABLE_VALUE_MAX} characters.`
    notes.add(
      check,
      `the value of the variable ${key}`,
      why,
      `Set a shorter one when you apply: it is a variable ${where}.`,
    )
    return [key, rest]
  })
  return Object.fromEntries(entries)
}
