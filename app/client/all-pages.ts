import { queryOptions } from '@tanstack/react-query'
import type { Input, Output } from './api.ts'
import { call } from './call.ts'

/** The most that an operation returns at once. */
const PAGE_SIZE = 100

type ListPath = 'workspaces.list' | 'projects.list' | 'services.list'

/** Returns options for `useQuery` that read a whole list, for a picker: what is on its second page can be chosen too. */
export function allPages<Path extends ListPath>(path: Path, input: Omit<Input<Path>, 'page' | 'pageSize'>) {
  return queryOptions({
    queryKey: [path, { ...input, pages: 'all' }] as const,
    async queryFn({ signal }) {
      const items: Output<Path>['items'][number][] = []
      for (let page = 1; ; page++) {
        const read = (await call('query', path, { ...input, page, pageSize: PAGE_SIZE }, signal)) as Output<Path>
        items.push(...read.items)
        if (page * PAGE_SIZE >= read.total) return items
      }
    },
  })
}
