'use client'

import { Stack, Text } from '@mantine/core'
import { Disclosure } from '../run-steps/disclosure.tsx'
import { BodyDiff } from './body-diff.tsx'
import { DifferenceTable } from './difference-table.tsx'
import type { StepPair } from './pair-steps.ts'
import { isSameOutcome, stepDifference, stepTitle } from './run-diff.ts'
import type { Bodies } from './use-bodies.ts'

/** What differs in a step that both runs have. It is open where the outcome differs. */
export function StepDifference({ pair, bodies }: { pair: StepPair; bodies: Bodies }) {
  const { before, after } = pair
  if (!before || !after) return null
  const { values, headers, perResponse, same } = stepDifference({ before, after })
  const isOpen = !isSameOutcome(pair)
  const title = stepTitle(pair)
  return (
    <Disclosure label={title} isOpen={isOpen}>
      <Stack gap="sm">
        {values.length > 0 && <DifferenceTable label={`Differences of ${title}`} title="Value" rows={values} />}
        {headers.length > 0 && (
          <DifferenceTable
            label={`Headers of ${title}`}
            title="Response header"
            rows={headers.map(({ name, ...sides }) => ({ label: name, ...sides }))}
          />
        )}
        {bodies.kind === 'different' && (
          <Stack gap={4}>
            <Text size="sm" fw={600}>
              Response body
            </Text>
            <BodyDiff before={bodies.before} after={bodies.after} />
          </Stack>
        )}
        <Text size="xs" c="dimmed">
          {notesOf(same, perResponse, bodies).join(' ')}
        </Text>
      </Stack>
    </Disclosure>
  )
}

function notesOf(same: string[], perResponse: string[], bodies: Bodies): string[] {
  const all = bodies.kind === 'same' ? [...same, 'body'] : same
  return [
    all.length > 0 && `The same: ${all.join(', ')}.`,
    perResponse.length > 0 && `Different in every response: ${perResponse.join(', ')}.`,
    bodies.kind === 'none' && 'The bodies are not compared: not both are stored.',
    bodies.kind === 'large' && 'The bodies have the same size, and are too large to be compared here.',
  ].filter((note) => note !== false)
}
