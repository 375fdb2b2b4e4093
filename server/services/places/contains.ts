import { and, type SQL, type SQLWrapper } from '#db/drizzle.cjs'
import { like } from '../../status/filters.ts'

/** Whether a text contains every word of a search, in any case; undefined for a search without words. */
export function contains(text: SQLWrapper, q: string | undefined): SQL | undefined {
  const words = (q ?? '').split(/\s+/).filter((word) => word !== '')
  return and(...words.map((word) => like(text, word)))
}
