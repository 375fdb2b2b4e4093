'use client'

import { Code, List } from '@mantine/core'
import type { ResultStep } from '#server/schemas/results/results.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Section } from '../../components/layout/section.tsx'

const STEP: Partial<ResultStep> = {
  stepNum: 2,
  method: 'GET',
  urlTemplate: '$s.base/cart/$$cartId',
  outcome: 'success',
  requestUrl: 'https://shop.example/cart/81',
  statusCode: 200,
  responseTimeMs: 184.2,
  waitMs: 500,
}

/** Explains the steps of a result. */
export function StepsSection() {
  return (
    <Section
      title="The steps of a result"
      intro="A result has a step for each call of the script, in its order, and also for the calls that the run did not reach."
    >
      <CodeBlock label="Some fields of a step" text={JSON.stringify(STEP, null, 2)} wrap />
      <List spacing="xs">
        <List.Item>
          <Code>method</Code> and <Code>urlTemplate</Code> are the call as the script has it, with variables in place.
          Group by them to compare a step across runs. <Code>requestUrl</Code> is the URL that was requested.
        </List.Item>
        <List.Item>
          <Code>outcome</Code> is <Code>success</Code>, <Code>failure</Code>, <Code>timeout</Code> or{' '}
          <Code>skipped</Code>. A skipped step has no <Code>requestUrl</Code>, because an earlier step ended the run.
        </List.Item>
        <List.Item>
          <Code>waitMs</Code> is the pause after the step by <Code>.wait()</Code>. It counts towards the{' '}
          <Code>runDurationMs</Code> of the result, but not towards the <Code>responseTimeMs</Code> of the step.
        </List.Item>
        <List.Item>
          <Code>scriptVersion</Code> of the result is the version of the script that ran. It is null for runs before
          versions were recorded.
        </List.Item>
      </List>
    </Section>
  )
}
