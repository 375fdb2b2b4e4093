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

/**
 * Reads one page: runs both queries at once and maps each row with `present`.
 * @throws ApiError as `pageOffset`
 */
export async function readPage<R, T>(
  query: PageQuery,
  rows: (limit: number, offset: number) => Promise<R[]>,
  count: () => Promise<number>,
  present: (row: R) => T,
): Promise<Page<T>> {
  const offset = pageOffset(query)
  const [found, total] = await Promise.all([rows(query.pageSize, offset), count()])
  return { items: found.map((row) => present(row)), total, page: query.page, pageSize: query.pageSize }
}
