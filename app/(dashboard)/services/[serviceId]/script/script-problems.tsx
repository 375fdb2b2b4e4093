'use client'

import { Alert, Anchor, Code, List, Stack, Text } from '@mantine/core'
import { CircleAlert } from '../../../../components/icons.ts'
import type { ScriptProblem } from './script-problem.ts'

type Props = {
  /** What the problems prevented, such as `Not saved`. */
  title: string
  problems: ScriptProblem[]
  onShow: (problem: ScriptProblem) => void
}

/** The problems because of which the script was not saved or run, each with a link to its line. */
export function ScriptProblems(props: Props) {
  const { problems } = props
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<CircleAlert size={18} aria-hidden />}
      title={`${props.title}: ${problems.length === 1 ? '1 problem' : `${problems.length} problems`}`}
    >
      <List size="sm" spacing={6}>
        {problems.map((problem, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: problems have no id, and the list is replaced as a whole
          <List.Item key={index}>
            <Stack gap={0}>
              <Text size="sm">
                {problem.line !== null && (
                  <Anchor
                    component="button"
                    type="button"
                    inherit
                    underline="always"
                    onClick={() => props.onShow(problem)}
                  >
                    Line {problem.line}
                  </Anchor>
                )}
                {problem.line !== null && ': '}
                {problem.message}
              </Text>
              <Text size="xs" c="dimmed">
                <Code>{problem.code}</Code>
                {problem.callIndex !== null && ` in call ${problem.callIndex + 1}`}
              </Text>
            </Stack>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
