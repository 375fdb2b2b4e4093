import { openEnum } from './conventions.ts'

/** How a run ends; `skipped` when the installation could not run it when it was due. */
export const RUN_STATUSES = ['success', 'failure', 'timeout', 'skipped'] as const

export const RunStatus = openEnum(RUN_STATUSES)
