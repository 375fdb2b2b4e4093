import type { ImportedRequest } from '#server/script-import/request.ts'
import type { ServiceFile, VariableEntry } from '../format/files.ts'

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
  readonly all: Note[] = []

  add(check: string, what: string, why: string, todo: string): void {
    this.all.push({ check, what, why, todo })
  }

  notSupported(check: string, kind: string): void {
    this.add(check, kind, 'Soundline probes over HTTP and HTTPS only.', 'Keep this check where it is.')
  }
}

/** The most checks of one import. */
export const CHECKS_MAX = 5_000
