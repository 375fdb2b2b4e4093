'use client'

import { Anchor, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { mutation, query } from '../../../client/api.ts'
import { useCommands } from '../../../client/commands/commands.ts'
import { notify } from '../../../client/notify.ts'
import { problemOf } from '../../../client/problem.ts'
import { Link } from '../../../components/layout/link.tsx'
import { millisecondsText } from '../../../components/numbers.ts'

/** More than the default limit of a run's duration, because other runs may be queued before it. */
const RESULT_TIMEOUT_MS = 120_000

/** Requests a run and polls for its result: a worker executes the run after the request has returned. */
export function RunNow({
  service,
}: {
  service: { id: string; name: string; isActive: boolean; script: string | null }
}) {
  const { id } = service
  const cache = useQueryClient()
  const [since, setSince] = useState<string | null>(null)
  const run = useMutation({
    ...mutation('services.run'),
    onSuccess: ({ requestedAt }) => setSince(requestedAt),
    onError: (error) => notify({ color: 'red', message: problemOf(error).message }),
  })
  const results = useQuery({
    ...query('results.list', { id, since: since ?? undefined, pageSize: 1 }),
    enabled: since !== null,
    staleTime: 0,
    refetchInterval: 1_000,
  })

  useEffect(() => {
    if (since === null) return
    const timer = setTimeout(() => {
      setSince(null)
      notify({
        color: 'orange',
        message: 'The run has not finished yet. Its result will appear in the list.',
      })
    }, RESULT_TIMEOUT_MS)
    return () => clearTimeout(timer)
  }, [since])

  const result = since === null ? undefined : results.data?.items[0]
  useEffect(() => {
    if (!result) return
    setSince(null)
    notify({
      color: result.status === 'success' ? 'teal' : 'red',
      title: `Run: ${result.status}`,
      message: (
        <>
          It took {millisecondsText(result.runDurationMs)}.{' '}
          <Anchor component={Link} href={`/services/${id}/results/${result.id}`} inherit underline="always">
            See the result
          </Anchor>
        </>
      ),
      autoClose: 10_000,
    })
    cache.invalidateQueries()
  }, [result, id, cache])

  const reason =
    service.script === null ? 'Write a script first' : service.isActive ? null : 'Switch the service on first'
  const isRunning = run.isPending || since !== null
  useCommands(
    reason === null && !isRunning
      ? [
          {
            id: 'run-now',
            label: `Run ${service.name} now`,
            group: 'This page',
            keys: 'r',
            run: () => run.mutate({ id }),
          },
        ]
      : [],
  )
  return (
    <Button
      leftSection={<Play size={15} aria-hidden />}
      loading={isRunning}
      loaderProps={{ type: 'dots' }}
      disabled={reason !== null}
      title={reason ?? undefined}
      onClick={() => run.mutate({ id })}
    >
      Run now
    </Button>
  )
}
