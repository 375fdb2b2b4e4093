import { queryOptions, type UseMutationOptions } from '@tanstack/react-query'
import type { AppRouter } from '#server/router.ts'
import { call } from './call.ts'

// Operations are named by their path in the server's router, such as `services.get`, and typed by it.

type Leaf = { _def: { type: 'query' | 'mutation' | 'subscription'; $types: { input: unknown; output: unknown } } }

type Paths<T, Kind, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends Leaf
    ? T[K]['_def']['type'] extends Kind
      ? `${Prefix}${K}`
      : never
    : Paths<T[K], Kind, `${Prefix}${K}.`>
}[keyof T & string]

type At<T, Path> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T
    ? At<T[Head], Rest>
    : never
  : Path extends keyof T
    ? T[Path]
    : never

type Tree = AppRouter['_def']['record']
type TypesAt<Path> = At<Tree, Path> extends Leaf ? At<Tree, Path>['_def']['$types'] : never

export type QueryPath = Paths<Tree, 'query'>
export type MutationPath = Paths<Tree, 'mutation'>
export type Input<Path extends QueryPath | MutationPath> = TypesAt<Path>['input']
export type Output<Path extends QueryPath | MutationPath> = TypesAt<Path>['output']

type Arguments<T> = undefined extends T ? [input?: T] : T extends void ? [] : [input: T]

/** The output of an operation, with null for no output (204 in the API): the query cache cannot store undefined. */
type NullableOutput<T> = undefined extends T ? Exclude<T, undefined> | null : T

/** Returns options for `useQuery`. The query key is the operation's path and its input. */
export function query<Path extends QueryPath>(path: Path, ...[input]: Arguments<Input<Path>>) {
  return queryOptions({
    queryKey: [path, input ?? null] as const,
    queryFn: ({ signal }) => call('query', path, input, signal) as Promise<NullableOutput<Output<Path>>>,
  })
}

/** Returns options for `useMutation`. A success invalidates all queries (see `newQueryClient`). */
export function mutation<Path extends MutationPath>(path: Path) {
  return {
    mutationKey: [path],
    mutationFn: (input: Input<Path>) => call('mutation', path, input) as Promise<Output<Path>>,
  } satisfies UseMutationOptions<Output<Path>, Error, Input<Path>>
}
