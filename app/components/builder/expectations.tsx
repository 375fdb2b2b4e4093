import { Anchor, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { assertionText } from '#server/language/builder/assertion-words.ts'
import type { Assertion, Step } from '#server/language/builder/steps.ts'
import type { Suggestion } from '#server/schemas/new-service/suggestions.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { excludes, isSame, usesIncludes } from './use-tests.ts'

const AddExpectation = lazyDialog(() => import('./add-expectation.tsx').then((module) => module.AddExpectation))

/** What a step expects, ticked, and what its response suggests besides. */
export function Expectations(props: {
  step: Step
  suggestions: Suggestion[]
  mayInclude: boolean | null
  onChange: (assertions: Assertion[]) => void
}) {
  const { assertions } = props.step
  const [isAdding, setAdding] = useState(false)
  const open = props.suggestions.filter(({ assertion }) => !assertions.some((one) => isSame(one, assertion)))
  const add = (assertion: Assertion) =>
    props.onChange([...assertions.filter((one) => !excludes(one, assertion)), assertion])
  return (
    <Stack gap="xs">
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          What the service expects
        </Text>
        <Text size="xs" c="dimmed">
          A run fails when the response does not meet what you tick.
        </Text>
      </Stack>
      {assertions.map((assertion) => (
        <Checkbox
          key={JSON.stringify(assertion)}
          size="sm"
          label={assertionText(assertion)}
          checked
          styles={{ label: { overflowWrap: 'anywhere' } }}
          onChange={() => props.onChange(assertions.filter((one) => one !== assertion))}
        />
      ))}
      {open.map(({ id, assertion }) => {
        const isBlocked = props.mayInclude === false && usesIncludes(assertion)
        return (
          <Checkbox
            key={id}
            size="sm"
            label={assertionText(assertion)}
            description={isBlocked ? 'Only for verified domains' : undefined}
            disabled={isBlocked}
            checked={false}
            styles={{ label: { overflowWrap: 'anywhere' } }}
            onChange={() => add(assertion)}
          />
        )
      })}
      {assertions.length === 0 && <Text size="sm">Nothing is ticked: a run passes when any response arrives.</Text>}
      {isAdding ? (
        <AddExpectation
          onAdd={(assertion) => {
            add(assertion)
            setAdding(false)
          }}
          onClose={() => setAdding(false)}
        />
      ) : (
        <Group>
          <Anchor component="button" type="button" size="sm" underline="always" onClick={() => setAdding(true)}>
            Add an expectation
          </Anchor>
        </Group>
      )}
    </Stack>
  )
}
