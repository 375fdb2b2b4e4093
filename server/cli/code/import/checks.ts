import type { ImportedRequest } from '#server/script-import/request.ts'
import { isSecretName } from '#server/script-import/to-script.ts'
import type { ServiceFile, VariableEntry } from '../format/files.ts'
import { everySeconds } from './every.ts'

// What an importer reads from the file of another program, before it becomes a folder.

/** Something that did not carry over: what it was, why, and what to do. */
export type Note = { check: string; what: string; why: string; todo: string }

export type ImportedCheck = {
  name: string
  label?: string | null
  isActive: boolean
  schedule?: string
  requests: ImportedRequest[]
  alerting?: NonNullable<ServiceFile['alerting']>
  variables?: Record<string, VariableEntry>
}

export type ImportedChecks = {
  /** The name of the format, for the report. */
  format: string
  checks: ImportedCheck[]
  /** Variables that several checks use. They become the project's. */
  variables: Record<string, VariableEntry>
  notes: Note[]
}

/** Collects what does not carry over, check by check. */
export class Notes {
  readonly all: Note[]

  constructor(all: readonly Note[] = []) {
    this.all = [...all]
  }

  add(check: string, what: string, why: string, todo: string): void {
    this.all.push({ check, what, why, todo })
  }

  /** Returns the schedule for an interval. */
  scheduleOf(check: string, seconds: number): string {
    const { schedule, isExact } = everySeconds(seconds)
    if (!isExact) {
      const why = 'Schedules are cron expressions of whole minutes.'
      this.add(check, `the interval of ${seconds} s`, why, `Check the schedule, which is ${schedule}.`)
    }
    return schedule
  }

  /** Returns whether the check is switched on: only when all its requests change nothing. */
  isSwitchedOn(check: string, requests: readonly ImportedRequest[]): boolean {
    const other = requests.find(({ method }) => method !== 'get')
    if (!other) return true
    const why = `A ${other.method.toUpperCase()} request may change something.`
    this.add(check, 'the schedule', why, 'Set isActive to true if it may run on a schedule.')
    return false
  }

  /** `secret` is where the value belongs, such as `token of this service`. */
  credential(check: string, what: string, secret: string): void {
    const why = 'It looks like a credential, so it is not written to the folder.'
    this.add(check, `the value of ${what}`, why, `Set it when you apply: it is the secret ${secret}.`)
  }

  notSupported(check: string, kind: string): void {
    this.add(check, kind, 'Soundline probes over HTTP and HTTPS only.', 'Keep this check where it is.')
  }
}

/** A variable of another program. A credential becomes a secret, whose value is not written. */
export function variableOf(key: string, value?: string): VariableEntry {
  if (isSecretName(key)) return { type: 'secret', allowedHosts: [] }
  return { type: 'variable', ...(value !== undefined && { value }) }
}

/** The most checks of one import. */
export const CHECKS_MAX = 5_000
