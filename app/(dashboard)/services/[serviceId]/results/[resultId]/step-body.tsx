'use client'

import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ResultStep } from '#server/schemas/results/results.ts'
import { query } from '../../../../../client/api.ts'
import { Loaded } from '../../../../../components/lists/loaded.tsx'
import { BodyContent } from '../../../../../components/run-steps/body-content.tsx'

const REASONS: Record<string, string> = {
  not_requested: 'This service did not save response bodies when it ran.',
  too_large: 'The body was too large to be saved.',
  timeout: 'The call ended before the body had arrived.',
  no_body: 'The response had no body.',
  expired: 'The retention period of the body has ended, and it was deleted.',
  store_forgotten: 'The body store that held this body was forgotten.',
  store_unavailable: 'The body store was unavailable when the service ran.',
}

/** Loads the body when the member opens it: bodies are stored apart from results and may be large. */
export function StepBody({ serviceId, resultId, step }: { serviceId: string; resultId: string; step: ResultStep }) {
  const body = useQuery({
    ...query('results.body', { id: serviceId, resultId, stepId: step.id }),
    enabled: step.hasBody,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!step.hasBody) {
    const reason = step.bodyNotStoredReason
    return (
      <Text size="sm" c="dimmed">
        {(reason && REASONS[reason]) ?? `No body was saved${reason ? ` (${reason})` : ''}.`}
      </Text>
    )
  }
  return (
    <Loaded query={body}>
      {(body) => (body ? <BodyContent body={body} /> : <Text size="sm">No body was saved.</Text>)}
    </Loaded>
  )
}
