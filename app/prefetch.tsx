import { dehydrate, QueryClient } from '@tanstack/react-query'
import { callTRPCProcedure } from '@trpc/server'
import type { ReactNode } from 'react'
import { cache } from 'react'
import type { Input, Output, QueryPath } from './client/api.ts'
import { currentContext } from './current-member.ts'
import { Hydrated } from './hydrated.tsx'
import { server } from './server.ts'

type Arguments<T> = undefined extends T ? [input?: T] : T extends void ? [] : [input: T]

/** Runs a query for the page. Returns its output, or null if it fails: the client then repeats it and shows the error. */
export type Load = <Path extends QueryPath>(
  path: Path,
  ...input: Arguments<Input<Path>>
) => Promise<Output<Path> | null>

/**
 * Loads queries on the server through the operations themselves, so that `useQuery(query(path, input))` in `children` has
 * its data at the first paint. Path and input must equal those of the component.
 */
export async function Prefetch(props: { load: (load: Load) => Promise<unknown>; children: ReactNode }) {
  const client = new QueryClient()
  const load = async (path: QueryPath, input?: unknown) => {
    const output = await runOnce(path, input === undefined ? 'null' : JSON.stringify(input))
    if (!output) return null
    client.setQueryData([path, input ?? null], output.data, { updatedAt: output.startedAt })
    return output.data
  }
  await props.load(load as Load)
  return (
    <Hydrated state={dehydrate(client)} renderedAt={Date.now()}>
      {props.children}
    </Hydrated>
  )
}

/** Loads like `Prefetch`, for page titles. */
export const load: Load = (async (path: QueryPath, input?: unknown) =>
  (await runOnce(path, input === undefined ? 'null' : JSON.stringify(input)))?.data ?? null) as Load

/** The data of a query, and when it began: a later change may be missing in it. */
type Loaded = { data: unknown; startedAt: number }

/** Runs each query once per request, because layouts, pages and titles load the same ones. */
const runOnce = cache(async (path: QueryPath, inputJson: string): Promise<Loaded | null> => {
  const context = await currentContext()
  const startedAt = Date.now()
  try {
    const data = await callTRPCProcedure({
      router: server.appRouter,
      path,
      ctx: context,
      type: 'query',
      getRawInput: async () => JSON.parse(inputJson) ?? undefined,
      signal: undefined,
      batchIndex: 0,
    })
    // As JSON, because the client must not see other types in the first data than in what it fetches later.
    return { data: JSON.parse(JSON.stringify(data ?? null)), startedAt }
  } catch {
    return null
  }
})
