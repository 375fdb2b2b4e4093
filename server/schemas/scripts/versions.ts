import { z } from 'zod'
import { Id, Instant, PageQuery, pageOf } from '../conventions.ts'

/** The saved scripts of a service that are kept: the last ones, up to this number and this many bytes. */
export const VERSIONS_MAX = 500
export const VERSIONS_MAX_BYTES = 8_000_000

const VersionNumber = z.int().min(1)

const entry = {
  version: VersionNumber,
  createdAt: Instant,
  /** Who saved it; null for a version from before versions were stored, if no audit entry names its author. */
  author: z.object({ id: Id, name: z.string() }).nullable(),
  /** The API key with which it was saved. */
  keyName: z.string().nullable(),
  restoredFrom: z.int().nullable(),
}

export const ScriptVersionPage = pageOf(z.object({ ...entry, characters: z.int() }), 'ScriptVersionPage')

export const ScriptVersionsQuery = PageQuery.extend({ id: Id })

export const ScriptVersionQuery = z.object({ id: Id, version: VersionNumber })

export const ScriptVersion = z.object({
  ...entry,
  script: z.string(),
  /** The stored version before it. */
  previous: z.object({ version: z.int(), script: z.string() }).nullable(),
})
export type ScriptVersion = z.output<typeof ScriptVersion>

/** `version` is the current version, as for a save; `restore` is the one whose text is saved again. */
export const ScriptRestore = z.object({ restore: VersionNumber, version: VersionNumber })
