'use client'

import { Anchor, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Run } from '#server/schemas/runs.ts'
import { statusText } from '#server/schemas/status/status-text.ts'
import { mutation, query } from '../../../client/api.ts'
import { useCommands } from '../../../client/commands/commands.ts'
import { notify } from '../../../client/notify.ts'
import { problemOf } from '../../../client/problem.ts'
import { Play } from '../../../components/icons.ts'
import { Link } from '../../../components/layout/link.tsx'
import { millisecondsText } from '../../../components/numbers.ts'

/** More than the default limit of a run's duration, because other runs may be queued before it. */
const RESULT_TIMEOUT_MS = 120_000

/** Requests a run and polls until it is done: a worker executes it after the request has returned. */
export function RunNow({
  service,
}: {
  service: { id: string; name: string; isActive: boolean; script: string | null }
}) {
  const { id } = service
  const cache = useQueryClient()
  const [runId, setRunId] = useState<string | null>(null)
  const request = useMutation({
    ...mutation('services.run'),
    onSuccess: ({ runId }) => setRunId(runId),
    onError: (error) => notify({ color: 'red', message: problemOf(error).message }),
  })
  const requested = useQuery({
    ...query('services.runs.get', { id, runId: runId ?? '' }),
    enabled: runId !== null,
    staleTime: 0,
    refetchInterval: 1_000,
  })

  useEffect(() => {
    if (runId === null) return
    const timer = setTimeout(() => {
      setRunId(null)
      notify({
        color: 'orange',
        message: (
          <>
            The run has not finished yet. <RunLink href={`/services/${id}/runs/${runId}`}>See the run</RunLink>
          </>
        ),
      })
    }, RESULT_TIMEOUT_MS)
    return () => clearTimeout(timer)
  }, [runId, id])

  const done = runId !== null && requested.data?.id === runId && requested.data.state === 'done' ? requested.data : null
  useEffect(() => {
    if (!done) return
    setRunId(null)
    notify(outcomeOf(done))
    cache.invalidateQueries()
  }, [done, cache])

  const reason =
    service.script === null ? 'Write a script first' : service.isActive ? null : 'Switch the service on first'
  const isRunning = request.isPending || runId !== null
  useCommands(
    reason === null && !isRunning
      ? [
          {
            id: 'run-now',
            label: `Run ${service.name} now`,
            group: 'This page',
            keys: 'r',
            run: () => request.mutate({ id }),
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
      onClick={() => request.mutate({ id })}
    >
      Run now
    </Button>
  )
}

/** Returns the notification of a run that is done. With several agents it leads to the run, which lists their results. */
function outcomeOf({ serviceId, id, outcome, results, skippedAgents }: Run) {
  const [result, ...others] = results
  const isSingle = result !== undefined && others.length === 0
  const href = isSingle ? `/services/${serviceId}/results/${result.id}` : `/services/${serviceId}/runs/${id}`
  const isIncomplete = outcome === 'success' && skippedAgents.length > 0
  return {
    color: isIncomplete ? 'yellow' : outcome === 'success' ? 'teal' : 'red',
    title: isIncomplete ? 'Run passed, but not on all agents' : `Run ${statusText(outcome ?? 'done')}`,
    message: (
      <>
        {isSingle && `It took ${millisecondsText(result.runDurationMs)}. `}
        <RunLink href={href}>{isSingle ? 'See the result' : 'See the run'}</RunLink>
      </>
    ),
    autoClose: 10_000,
  }
}

function RunLink({ href, children }: { href: string; children: string }) {
  return (
    <Anchor component={Link} href={href} inherit underline="always">
      {children}
    </Anchor>
  )
}
