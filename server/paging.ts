import { fieldInvalid } from './errors.ts'
import { pageMax, pageTooHigh } from './input-errors.ts'
import type { PageQuery } from './schemas/conventions.ts'

export type Page<T> = { items: T[]; total: number; page: number; pageSize: number }

/**
 * Returns the number of rows before a page.
 * @throws ApiError `field_invalid` on `page` with `details.max` when the page is above the maximum
 */
export function pageOffset(query: PageQuery): number {
  const max = pageMax(query.pageSize)
  if (query.page > max) throw fieldInvalid('page', pageTooHigh(max), { max })
  return (query.page - 1) * query.pageSize
}

/** A query without its limit and offset. */
type Limitable<R> = { limit(limit: number): { offset(offset: number): PromiseLike<R[]> } }

/**
 * Reads one page of the rows that a query selects: runs it and the count at once.
 * @throws ApiError as `pageOffset`
 */
export async function readRows<R>(
  query: PageQuery,
  rows: Limitable<R>,
  count: () => Promise<number>,
): Promise<Page<R>> {
  const offset = pageOffset(query)
  const [items, total] = await Promise.all([rows.limit(query.pageSize).offset(offset), count()])
  return { items, total, page: query.page, pageSize: query.pageSize }
}

/** Reads one page as `readRows`, and maps each row with `present`. */
export async function readPage<R, T>(
  query: PageQuery,
  rows: Limitable<R>,
  count: () => Promise<number>,
  present: (row: R) => T,
): Promise<Page<T>> {
  const page = await readRows(query, rows, count)
  return { ...page, items: page.items.map((row) => present(row)) }
}
