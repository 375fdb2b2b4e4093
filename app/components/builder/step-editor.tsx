import { Grid, Stack, Text } from '@mantine/core'
import type { StepField, StepProblem } from '#server/language/builder/problems.ts'
import { type Step, VARIABLE_NAME } from '#server/language/builder/steps.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { Expectations } from './expectations.tsx'
import { RequestLine } from './request-line.tsx'
import { RequestTabs } from './request-tabs.tsx'
import { TakenValues, UsableValues } from './taken-values.tsx'
import type { Tests } from './use-tests.ts'

// Loaded with the first answer.
const Answer = lazyDialog(() => import('./answer.tsx').then((module) => module.Answer))

/** One step: its request, what came back beside it, and what is expected and taken of that. */
export function StepEditor(props: {
  step: Step
  at: number
  /** The names of the values that the steps before take. */
  usable: string[]
  tests: Tests
  problems: StepProblem[]
  mayInclude: boolean | null
  onChange: (step: Step) => void
  onTest: () => void
}) {
  const { step, at, tests, onChange } = props
  const problemOf = (field: StepField) =>
    props.problems.find((problem) => problem.step === at && problem.field === field)?.reason ?? null
  const result = tests.isCurrent(at) && !tests.isTesting ? tests.result : null
  const take = (path: string[]) => {
    const taken = {
      name: nameFor(path, [...props.usable, ...step.takes.map(({ name }) => name)]),
      from: `this.body.${path.join('.')}`,
    }
    onChange({ ...step, takes: [...step.takes, taken] })
  }
  return (
    <Grid>
      <Grid.Col span={{ base: 12, lg: result ? 7 : 12 }}>
        <Stack>
          <RequestLine
            step={step}
            problem={problemOf('url')}
            isFirst={at === 0}
            isTesting={tests.isTesting}
            onChange={onChange}
            onTest={props.onTest}
          />
          <UsableValues names={props.usable} />
          <RequestTabs step={step} problemOf={problemOf} onChange={onChange} />
          <Expectations
            step={step}
            suggestions={tests.suggestions[at] ?? []}
            mayInclude={props.mayInclude}
            onChange={(assertions) => onChange({ ...step, assertions })}
          />
          <TakenValues
            takes={step.takes}
            error={problemOf('takes')}
            onChange={(takes) => onChange({ ...step, takes })}
          />
        </Stack>
      </Grid.Col>
      {result && (
        <Grid.Col span={{ base: 12, lg: 5 }} component="section" aria-label={`Answer to step ${at + 1}`}>
          <Stack gap="xs">
            <Text size="sm" fw={600}>
              Answer
            </Text>
            <Answer result={result} at={at} onTake={take} />
          </Stack>
        </Grid.Col>
      )}
    </Grid>
  )
}

/** Returns a free name after the last field of the path. */
function nameFor(path: string[], taken: string[]): string {
  const last = path.at(-1) ?? ''
  const wanted = VARIABLE_NAME.test(last) ? last : 'value'
  let name = wanted
  for (let n = 2; taken.includes(name); n++) name = `${wanted}_${n}`
  return name
}
