import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { problemOf } from './problem.ts'
import { handleEndedSession } from './session/session-ended.ts'

/** Mutations after which the browser opens another page. The old page is not refetched: its data may not be allowed any more. */
const NAVIGATING_MUTATIONS = new Set([
  'auth.signIn',
  'auth.signOut',
  'auth.switchOrganization',
  'auth.acceptInvitation',
  'auth.resetPassword',
  'setup.create',
  'organization.remove',
])

/** What changes as time passes, without a write: runs become overdue, agents are lost, and results grow old. Fetched every minute. */
const TIMED_QUERIES = [
  ...['status.board', 'status.service', 'status.summary', 'status.projects', 'status.workspaces'],
  ...['services.get', 'agents.lost', 'agents.lone'],
]
const TIMED_MS = 60_000

/** Errors which show that the page is stale. All queries are refetched. */
const STALE_PAGE_CODES = new Set([
  'version_conflict',
  'service_inactive',
  'script_missing',
  'already_exists',
  'not_found',
])

/** Creates a query client: every mutation invalidates all queries, and an ended session leads to sign-in. */
export function newQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < 2 && isTransient(error),
      },
    },
    queryCache: new QueryCache({ onError: askToSignIn }),
    mutationCache: new MutationCache({
      onError: (error) => {
        askToSignIn(error)
        if (STALE_PAGE_CODES.has(problemOf(error).code)) client.invalidateQueries()
      },
      onSuccess: (_data, _input, _context, { options }) => {
        if (NAVIGATING_MUTATIONS.has(String(options.mutationKey?.[0]))) return
        // Otherwise a page that is opened later would first show the old data.
        client.removeQueries({ type: 'inactive' })
        return client.invalidateQueries()
      },
    }),
  })
  for (const path of TIMED_QUERIES) client.setQueryDefaults([path], { refetchInterval: TIMED_MS })
  return client
}

/** Returns whether a retry may succeed. */
function isTransient(error: Error): boolean {
  const { code } = problemOf(error)
  return code === 'network' || code === 'busy' || code === 'service_unavailable' || code === 'body_store_unavailable'
}

function askToSignIn(error: Error): void {
  if (problemOf(error).code !== 'session_required' || typeof window === 'undefined') return
  handleEndedSession()
}
