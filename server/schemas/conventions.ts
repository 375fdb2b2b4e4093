import { z } from 'zod'

// Schemas that all resources share: ids, instants, pages, names.

/** A UUID. `z.guid()` accepts every well-formed one; `z.uuid()` refuses some versions. */
export const Id = z.guid()

/** ISO-8601 in UTC, milliseconds included. */
export const Instant = z.iso.datetime()

/**
 * A trimmed string on one line. Names appear in mails, logs and terminals, where control characters and line breaks could
 * forge output.
 */
export const LineOfText = z
  .string()
  .trim()
  .refine((text) => !CONTROL.test(text), 'must not contain control characters or line breaks')

// Cc: control characters. Zl and Zp: line and paragraph separators.
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u

export const NAME_MAX = 128

/** Trimmed, not empty, at most 128 characters, on one line. */
export const Name = LineOfText.min(1)
  .max(NAME_MAX)
  .meta({ description: 'Trimmed; must not contain control characters or line breaks.' })

/** A short text shown next to a name; can be empty. */
export const Label = LineOfText.max(32)

export const Ok = z.object({ ok: z.literal(true) }).meta({ id: 'Ok' })

/**
 * An integer in a query: digits only, so `1e1`, `0x10` and an empty string are refused. A number out of bounds is clamped
 * to just past its bound: with any number of digits, the refusal then names the bound.
 */
export function queryInt(min: number, max: number) {
  return z.preprocess(
    (value) =>
      typeof value === 'string' && /^-?\d+$/.test(value) ? Math.min(Math.max(Number(value), min - 1), max + 1) : value,
    z.int().min(min).max(max),
  )
}

/** The maximum of `page × pageSize`. */
export const PAGE_ROWS_MAX = 100_000
export const PAGE_SIZE_MAX = 100
export const PAGE_SIZE_DEFAULT = 50

export const PageQuery = z.object({
  page: queryInt(1, PAGE_ROWS_MAX).default(1),
  pageSize: queryInt(1, PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
})
export type PageQuery = z.output<typeof PageQuery>

/** The envelope of every list. `total` counts across all pages. */
export function pageOf<T extends z.ZodType>(item: T, id: string) {
  return z
    .object({ items: z.array(item), total: z.int(), page: z.int(), pageSize: z.int() })
    .meta({ id, description: 'One page of a list; `total` is the count across all pages.' })
}

/** An enumeration that can gain values: it lists the known ones, and any string is valid. */
export function openEnum<const T extends readonly [string, ...string[]]>(values: T) {
  return z.union([z.enum(values), z.string()])
}
