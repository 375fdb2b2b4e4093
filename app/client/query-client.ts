import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { problemOf } from './problem.ts'

/** After these the page is left for another, and what it shows is read no more: it may be no longer allowed. */
const NAVIGATING_MUTATIONS = new Set([
  'auth.signIn',
  'auth.signOut',
  'auth.switchOrganization',
  'auth.acceptInvitation',
  'auth.resetPassword',
  'setup.create',
  'organization.remove',
])

/** Refusals that say the page shows what is no more: it is read again at once. */
const STALE_PAGE_CODES = new Set([
  'version_conflict',
  'service_inactive',
  'script_missing',
  'already_exists',
  'not_found',
])

/** Reads are fresh for some seconds, a write makes all of them stale, and a session that ended leads to sign-in. */
export function newQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < 2 && isTransient(error),
      },
    },
    queryCache: new QueryCache({ onError: redirectWhenSignedOut }),
    mutationCache: new MutationCache({
      onError: (error) => {
        redirectWhenSignedOut(error)
        if (STALE_PAGE_CODES.has(problemOf(error).code)) client.invalidateQueries()
      },
      onSuccess: (_data, _input, _context, { options }) => {
        if (NAVIGATING_MUTATIONS.has(String(options.mutationKey?.[0]))) return
        // What no page shows now is read anew when one does, instead of being shown as it was for a moment.
        client.removeQueries({ type: 'inactive' })
        return client.invalidateQueries()
      },
    }),
  })
  return client
}

/** The server did not answer, or said that it will later. */
function isTransient(error: Error): boolean {
  const { code } = problemOf(error)
  return code === 'network' || code === 'busy' || code === 'service_unavailable' || code === 'body_store_unavailable'
}

function redirectWhenSignedOut(error: Error): void {
  if (problemOf(error).code !== 'session_required' || typeof window === 'undefined') return
  if (window.location.pathname === '/sign-in') return
  const next = window.location.pathname + window.location.search
  window.location.assign(`/sign-in?next=${encodeURIComponent(next)}`)
}
