import { queryOptions } from '@tanstack/react-query'
import { PAGE_SIZE, readAllPages } from '#server/cli/client/pages.ts'
import type { Input, Output } from './api.ts'
import { call } from './call.ts'

type ListPath = 'workspaces.list' | 'projects.list' | 'services.list'

/** Returns options for `useQuery` that read a whole list, for a picker: what is on its second page can be chosen too. */
export function allPages<Path extends ListPath>(path: Path, input: Omit<Input<Path>, 'page' | 'pageSize'>) {
  type Item = Output<Path>['items'][number]
  return queryOptions({
    queryKey: [path, { ...input, pages: 'all' }] as const,
    queryFn: ({ signal }) =>
      readAllPages<Item>(async (page) => {
        const read = await call('query', path, { ...input, page, pageSize: PAGE_SIZE }, signal)
        return read as { items: Item[]; total: number }
      }),
  })
}
