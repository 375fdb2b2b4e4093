export type Page<T> = { items: T[]; total: number }

/** The most that the API returns at once. */
export const PAGE_SIZE = 100

/** Reads all pages of a list. `read` gets the page's number, from 1. */
export async function readAllPages<T extends { id: string }>(read: (page: number) => Promise<Page<T>>): Promise<T[]> {
  // By id: an item moves to a later page when another is created meanwhile.
  const items = new Map<string, T>()
  for (let page = 1; ; page++) {
    const { items: found, total } = await read(page)
    for (const item of found) items.set(item.id, item)
    if (found.length < PAGE_SIZE || page * PAGE_SIZE >= total) return [...items.values()]
  }
}
