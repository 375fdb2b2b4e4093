import { openEnum } from './conventions.ts'

/** The outcome of a run; `skipped` when the installation could not execute it when it was due. */
export const RUN_STATUSES = ['success', 'failure', 'timeout', 'skipped'] as const

export const RunStatus = openEnum(RUN_STATUSES)
