'use client'

import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { StepBody as Body, ResultStep } from '#server/schemas/results/results.ts'
import { query } from '../../../../../client/api.ts'
import { CodeBlock } from '../../../../../components/code-block.tsx'
import { Loaded } from '../../../../../components/lists/loaded.tsx'

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

function BodyContent({ body }: { body: Body }) {
  const isBinary = body.encoding === 'base64'
  const text = useMemo(() => (isBinary ? body.content : indented(body)), [body, isBinary])
  const type = body.contentType ?? 'application/octet-stream'
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {body.contentType ?? 'Unknown type'}
          {isBinary && ' · binary, shown as base64'}
        </Text>
        <Anchor size="xs" href={dataUrl(body, type)} download="body">
          Download
        </Anchor>
      </Group>
      <CodeBlock text={text} label="Response body" wrap={isBinary} />
    </Stack>
  )
}

/** Indents JSON. Other bodies, and bodies that are not valid JSON, stay unchanged. */
function indented(body: Body): string {
  if (!/\bjson\b/.test(body.contentType ?? '')) return body.content
  try {
    return JSON.stringify(JSON.parse(body.content), null, 2)
  } catch {
    return body.content
  }
}

function dataUrl({ content, encoding }: Body, type: string): string {
  return encoding === 'base64'
    ? `data:${type};base64,${content}`
    : `data:${type};charset=utf-8,${encodeURIComponent(content)}`
}
