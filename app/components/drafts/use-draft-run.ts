import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewSecret } from '#server/schemas/new-service/secrets.ts'
import { mutation, query } from '../../client/api.ts'

const REFETCH_MS = 500

/** Runs scripts that are not saved, with the variables of a service or of none, and follows the last run until it ends. */
export function useDraftRun(serviceId?: string) {
  const [id, setId] = useState<string | null>(null)
  const start = useMutation({ ...mutation('drafts.start'), onSuccess: (draft) => setId(draft.id) })
  const run = useQuery({
    ...query('drafts.get', { id: id ?? '' }),
    enabled: id !== null,
    refetchInterval: ({ state: { data } }) => (data && isEnded(data.state) ? false : REFETCH_MS),
  })
  const draft = id === null ? null : (run.data ?? null)
  const hasEnded = draft !== null && isEnded(draft.state)
  return {
    /** The last run, from its start on. */
    draft,
    /** The last run once it has ended; null while one starts or runs. */
    ended: hasEnded && !start.isPending ? draft : null,
    isOpen: start.isPending || id !== null,
    isPending: start.isPending || (id !== null && !run.error && !hasEnded),
    error: start.error ?? run.error,
    /** The script that was sent last. */
    text: start.variables?.script ?? null,
    /** `secrets` are those that the service will have, if it does not exist yet. */
    start: (script: string, secrets: NewSecret[] = []) =>
      start.mutate({ script, ...(serviceId !== undefined && { serviceId }), ...(secrets.length > 0 && { secrets }) }),
    close: () => {
      setId(null)
      start.reset()
    },
  }
}

function isEnded(state: string): boolean {
  return state === 'done' || state === 'lost'
}
