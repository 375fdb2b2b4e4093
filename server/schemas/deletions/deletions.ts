import { z } from 'zod'
import { Id, Instant, openEnum, pageOf } from '../conventions.ts'

/** Days in which a deleted service or project can be restored. */
export const DELETION_DAYS = 7

export const DELETED_TYPES = ['service', 'project'] as const

export const Deletion = z.object({
  type: openEnum(DELETED_TYPES),
  /** The id of the service or project. It keeps this id when it is restored. */
  resourceId: Id,
  name: z.string(),
  workspaceName: z.string(),
  /** The project of a deleted service; null for a project, and if the project is deleted too. */
  projectName: z.string().nullable(),
  serviceCount: z.int(),
  deletedBy: z.string(),
  deletedAt: Instant,
  /** When it is deleted for good. */
  endsAt: Instant,
  /** False for a service whose project is deleted: the project is restored first. */
  isRestorable: z.boolean(),
})
export type Deletion = z.output<typeof Deletion>

export const DeletionPage = pageOf(Deletion, 'DeletionPage')

export const Restored = z.object({
  type: openEnum(DELETED_TYPES),
  id: Id,
  /** With an addition, if the name was taken meanwhile. */
  name: z.string(),
  isRenamed: z.boolean(),
})
export type Restored = z.output<typeof Restored>
