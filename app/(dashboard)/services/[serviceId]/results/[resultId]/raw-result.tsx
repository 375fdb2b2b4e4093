'use client'

import { Accordion } from '@mantine/core'
import type { Result } from '#server/schemas/results/results.ts'
import { CodeBlock } from '../../../../../components/code-block.tsx'

/** The run as the API returns it. */
export function RawResult({ result }: { result: Result }) {
  return (
    <Accordion variant="contained" order={3} chevronPosition="left">
      <Accordion.Item value="raw">
        <Accordion.Control>Raw JSON</Accordion.Control>
        <Accordion.Panel>
          <CodeBlock text={JSON.stringify(result, null, 2)} label="Raw result" />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
