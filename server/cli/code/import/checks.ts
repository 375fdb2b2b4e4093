import type { ImportedRequest } from '../../../language/script-import/request.ts'
import { isSecretName } from '../../../language/script-import/to-script.ts'
import { LABEL_MAX, LABELS_MAX } from '../../../schemas/conventions.ts'
import type { ServiceFile, VariableEntry } from '../format/files.ts'
import { everySeconds } from './every.ts'

// The checks that an importer reads from the file of another program.

/** A part that was not imported: what it was, why, and what to do. */
export type Note = { check: string; what: string; why: string; todo: string }

export type ImportedCheck = {
  name: string
  labels?: string[]
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

const NAME_MAX = 128
/** For the number of a name that occurs again. */
const NUMBER_MAX = 6
const TIMEOUT_MAX_S = 60
const CONFIRM_MAX = 10

/** Collects what does not carry over, check by check. */
export class Notes {
  readonly all: Note[]
  private readonly names = new Set<string>()
  /** The checks that lost something by which they fail. */
  private readonly laxer = new Set<string>()

  constructor(all: readonly Note[] = []) {
    this.all = [...all]
  }

  add(check: string, what: string, why: string, todo: string): void {
    this.all.push({ check, what, why, todo })
  }

  /** Adds a note about a lost part without which the check could pass wrongly. The check is imported switched off. */
  lose(check: string, what: string, why: string, todo: string): void {
    this.add(check, what, why, todo)
    this.laxer.add(check)
  }

  /** Returns a name of one line that no other check has: a name that occurs again gets a number. */
  nameOf(given: string): string {
    const line = given
      .normalize('NFC')
      .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim()
    const whole = line || 'unnamed'
    if (line.length > NAME_MAX) {
      this.add(cut(line, NAME_MAX), `the name ${line}`, `A name has at most ${NAME_MAX} characters.`, 'Nothing.')
    }
    let name = cut(whole, NAME_MAX)
    for (let n = 2; this.names.has(name); n++) name = `${cut(whole, NAME_MAX - NUMBER_MAX)} ${n}`
    this.names.add(name)
    return name
  }

  /** Returns the labels for tags or a group, each once. */
  labelsOf(check: string, given: readonly string[]): string[] {
    const labels = given.flatMap((one) => {
      const label = one
        .normalize('NFC')
        .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
        .trim()
      if (label.length > LABEL_MAX)
        this.add(check, `the label ${label}`, `A label has at most ${LABEL_MAX} characters.`, 'Nothing.')
      return cut(label, LABEL_MAX) || []
    })
    const each = [...new Set(labels)]
    const rest = each.slice(LABELS_MAX)
    if (rest.length > 0) {
      const why = `A service has at most ${LABELS_MAX} labels.`
      this.add(check, `the labels ${rest.join(', ')}`, why, 'Use names or projects to group services.')
    }
    return each.slice(0, LABELS_MAX)
  }

  /** Returns the milliseconds for a timeout. */
  timeoutOf(check: string, seconds: number): number {
    if (seconds > TIMEOUT_MAX_S) {
      const why = `A call takes at most ${TIMEOUT_MAX_S} s.`
      this.add(check, `the timeout of ${seconds} s`, why, `Slower responses fail.`)
    }
    return Math.max(1, Math.ceil(Math.min(TIMEOUT_MAX_S, seconds) * 1_000))
  }

  confirmFailuresOf(check: string, failures: number): number {
    const most = Math.min(CONFIRM_MAX, Math.max(1, Math.trunc(failures) || 1))
    if (failures > CONFIRM_MAX) {
      const why = `An alert waits for at most ${CONFIRM_MAX} failures.`
      this.add(check, `the alert after ${failures} failures`, why, 'Nothing to do: alerts come earlier.')
    }
    return most
  }

  /** Returns the checks that one import can have. */
  withinLimit<T>(checks: readonly T[]): T[] {
    if (checks.length > CHECKS_MAX) {
      const what = `${checks.length - CHECKS_MAX} of ${checks.length} checks`
      this.add('all', what, `An import has at most ${CHECKS_MAX}.`, 'Split the file.')
    }
    return checks.slice(0, CHECKS_MAX)
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

  /** Returns whether to switch the check on: it was on, its requests change nothing, and it lost nothing. */
  isSwitchedOn(check: string, requests: readonly ImportedRequest[], isOn = true): boolean {
    if (!isOn) return false
    const other = requests.find(({ method }) => method !== 'get')
    if (!other) {
      if (!this.laxer.has(check)) return true
      const why = 'Without the missing parts, it could pass where the original fails.'
      this.add(check, 'the schedule', why, 'Complete the script, and set isActive to true.')
      return false
    }
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

/** Returns the start of a text, without half a surrogate pair. */
function cut(text: string, length: number): string {
  return text
    .slice(0, length)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
    .trim()
}

/** The most checks of one import. */
export const CHECKS_MAX = 5_000
