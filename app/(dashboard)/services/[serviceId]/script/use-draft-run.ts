import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '../../../../client/api.ts'

const REFETCH_MS = 500

/** Runs the text in the editor without saving it, and follows the run until it ends. */
export function useDraftRun(serviceId: string) {
  const [id, setId] = useState<string | null>(null)
  const start = useMutation({ ...mutation('drafts.start'), onSuccess: (draft) => setId(draft.id) })
  const run = useQuery({
    ...query('drafts.get', { id: id ?? '' }),
    enabled: id !== null,
    refetchInterval: ({ state: { data } }) => (data && isEnded(data.state) ? false : REFETCH_MS),
  })
  const draft = id === null ? null : (run.data ?? null)
  return {
    draft,
    isOpen: start.isPending || id !== null,
    isPending: start.isPending || (id !== null && !run.error && !(draft && isEnded(draft.state))),
    error: start.error ?? run.error,
    start: (script: string) => start.mutate({ serviceId, script }),
    close: () => {
      setId(null)
      start.reset()
    },
  }
}

function isEnded(state: string): boolean {
  return state === 'done' || state === 'lost'
}
