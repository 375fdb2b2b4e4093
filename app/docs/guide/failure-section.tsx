'use client'

import { Code, List } from '@mantine/core'
import type { RunFailure } from '#server/schemas/results/failures.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Section } from '../../components/layout/section.tsx'

const FAILURE: RunFailure = {
  summary: 'GET https://shop.example/cart: status 500, expected 200 (1 more failed)',
  cause: 'status 500, expected 200',
  status: 'failure',
  step: { stepNum: 2, method: 'GET', url: 'https://shop.example/cart', statusCode: 500 },
  assertion: { stepNum: 2, method: 'expect', scope: 'status', op: 'eq', expected: 200, actual: 500 },
  error: null,
  phase: null,
  moreFailed: 1,
  excerpt: '{"message":"no connection to the database"}',
}

/** Explains the failure of a result. */
export function FailureSection() {
  return (
    <Section
      title="Why a run failed"
      intro="Every failed run is explained in one line and in parts, with the same words in results, services, incidents, mails and webhooks."
    >
      <CodeBlock label="The failure of a result" text={`"failure": ${JSON.stringify(FAILURE, null, 2)}`} wrap />
      <List spacing="xs">
        <List.Item>
          <Code>summary</Code> is the first failing request, its cause, and how many more assertions failed. Lists of
          results and <Code>lastFailure</Code> of a service contain it too. Show it to people. Programs should read the
          other fields, because its wording may change.
        </List.Item>
        <List.Item>
          Either <Code>assertion</Code> or <Code>error</Code> is the cause. <Code>error</Code> says why there was no
          response, such as a refused connection, an unknown host name, an invalid certificate or a timeout.
        </List.Item>
        <List.Item>
          After a timeout, <Code>phase</Code> is the phase in which it fell: <Code>dns</Code>, <Code>connect</Code>,{' '}
          <Code>tls</Code>, <Code>ttfb</Code> or <Code>transfer</Code>.
        </List.Item>
        <List.Item>
          <Code>excerpt</Code> is the start of the response body of the failing step, with secrets masked: up to 500
          characters of JSON, XML, HTML or other text. It is null if the service does not save response bodies. Results
          show it as long as bodies are kept.
        </List.Item>
      </List>
    </Section>
  )
}
