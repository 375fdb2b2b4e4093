import { z } from 'zod'

// What a backup contains: `manifest.json` first, then the rows of the tables in parts, the job queue and the bodies, and
// `summary.json` last. A backup without a summary is not complete.

export const FORMAT = 1
export const MANIFEST = 'manifest.json'
export const SUMMARY = 'summary.json'
export const TABLES = 'tables'
export const BODIES = 'bodies'

/** One stream of rows: a table, a partition of one, or a part of the job queue. */
export const Source = z.object({
  /** The name of the table or partition. */
  name: z.string(),
  columns: z.array(z.string()),
})
export type Source = z.output<typeof Source>

export const Manifest = z.object({
  format: z.literal(FORMAT),
  createdAt: z.iso.datetime(),
  /** The release of the program that wrote the backup. */
  release: z.string(),
  /** The hashes of the migrations that were applied, in their order. */
  schema: z.array(z.string()).min(1),
  /** In the order in which they can be inserted. */
  sources: z.array(Source),
  /** The days for which `results` has partitions, `YYYY-MM-DD`. */
  days: z.array(z.string()),
  /** The ids of the secret keys that open the sealed values in it. The keys themselves are not in it. */
  keys: z.array(z.string()),
  hasBodies: z.boolean(),
  stores: z.array(
    z.object({
      id: z.guid(),
      url: z.string(),
      /** New bodies went to it. */
      isCurrent: z.boolean(),
      /** Its bodies can be in the backup; those of a former bucket cannot, because its credentials are gone. */
      isReadable: z.boolean(),
    }),
  ),
})
export type Manifest = z.output<typeof Manifest>

export const Summary = z.object({
  /** By source. */
  rows: z.record(z.string(), z.object({ rows: z.number(), bytes: z.number(), sha256: z.string() })),
  bodies: z.object({
    count: z.number(),
    bytes: z.number(),
    sha256: z.string(),
    /** Bodies that results name and that their store did not have. */
    missing: z.number(),
  }),
})
export type Summary = z.output<typeof Summary>
