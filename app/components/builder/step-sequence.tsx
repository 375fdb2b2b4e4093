import { ActionIcon, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { StepProblem } from '#server/language/builder/problems.ts'
import { ChevronDown, ChevronUp, Copy, Plus, Trash2 } from '../icons.ts'
import { ProblemAlert } from '../problem-alert.tsx'
import { StepEditor } from './step-editor.tsx'
import type { Steps } from './use-steps.ts'
import type { Tests } from './use-tests.ts'

/** The steps in their order, and what changes the order. */
export function StepSequence(props: {
  steps: Steps
  tests: Tests
  problems: StepProblem[]
  mayInclude: boolean | null
  onTest: () => void
}) {
  const { steps: builder, tests } = props
  const { steps } = builder
  return (
    <Stack>
      {steps.map((step, at) => {
        const usable = steps.slice(0, at).flatMap(({ takes }) => takes.map(({ name }) => name))
        const editor = (
          <StepEditor
            step={step}
            at={at}
            usable={usable}
            tests={tests}
            problems={props.problems}
            mayInclude={props.mayInclude}
            onChange={(next) => builder.setStep(step.key, next)}
            onTest={props.onTest}
          />
        )
        if (steps.length === 1) return <div key={step.key}>{editor}</div>
        return (
          <Paper key={step.key} component="section" aria-label={`Step ${at + 1}`} withBorder p="md">
            <Group justify="space-between" mb="xs" wrap="nowrap">
              <Title order={3} fz="md">
                Step {at + 1}
              </Title>
              <Group gap={4} wrap="nowrap">
                <StepButton
                  label={`Move step ${at + 1} up`}
                  isDisabled={at === 0}
                  onClick={() => builder.move(step.key, -1)}
                >
                  <ChevronUp size={16} aria-hidden />
                </StepButton>
                <StepButton
                  label={`Move step ${at + 1} down`}
                  isDisabled={at === steps.length - 1}
                  onClick={() => builder.move(step.key, 1)}
                >
                  <ChevronDown size={16} aria-hidden />
                </StepButton>
                <StepButton label={`Duplicate step ${at + 1}`} onClick={() => builder.duplicate(step.key)}>
                  <Copy size={16} aria-hidden />
                </StepButton>
                <StepButton label={`Remove step ${at + 1}`} onClick={() => builder.remove(step.key)}>
                  <Trash2 size={16} aria-hidden />
                </StepButton>
              </Group>
            </Group>
            {editor}
          </Paper>
        )
      })}
      <ProblemAlert error={tests.error} />
      <div aria-live="polite">
        {tests.hasChanged && (
          <Text size="sm" c="dimmed">
            The request has changed since the test. Test it again for suggestions.
          </Text>
        )}
        {tests.ended && !tests.result && (
          <Text size="sm">No agent executed the test. Check that a worker is running, then test again.</Text>
        )}
      </div>
      <Group>
        <Button size="compact-sm" variant="default" leftSection={<Plus size={14} aria-hidden />} onClick={builder.add}>
          Add a step
        </Button>
      </Group>
    </Stack>
  )
}

function StepButton(props: { label: string; isDisabled?: boolean; onClick: () => void; children: React.ReactNode }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={props.label}
      disabled={props.isDisabled ?? false}
      onClick={props.onClick}
    >
      {props.children}
    </ActionIcon>
  )
}
