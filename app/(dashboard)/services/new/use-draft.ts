import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '../../../client/api.ts'

const POLL_MS = 400

/** Starts draft runs and follows the last one until it ends. `tested` is what the caller passed for it. */
export function useDraft<T>() {
  const [tested, setTested] = useState<T | null>(null)
  const start = useMutation(mutation('drafts.start'))
  const id = start.data?.id
  const draft = useQuery({
    ...query('drafts.get', { id: id ?? '' }),
    enabled: id !== undefined,
    refetchInterval: ({ state: { data } }) => (data?.state === 'done' || data?.state === 'lost' ? false : POLL_MS),
  })
  const ended = draft.data?.state === 'done' || draft.data?.state === 'lost' ? draft.data : null
  return {
    tested,
    /** The run that ended last; null while one runs. */
    ended,
    isPending: start.isPending || (id !== undefined && !ended && !draft.error),
    error: start.error ?? draft.error,
    start: (script: string, about: T) => {
      setTested(about)
      start.mutate({ script })
    },
  }
}
