'use client'

import { Accordion, Alert, Button, Group, Stack, Text } from '@mantine/core'
import { GitMerge } from 'lucide-react'
import type { Service } from '#server/schemas/services.ts'
import { CodeBlock } from '../../../../components/code-block.tsx'

/** Two people wrote at once: shows the other script and lets the writer choose, with nothing decided for them. */
export function ConflictNotice(props: {
  latest: Service
  isPending: boolean
  onUseLatest: () => void
  onOverwrite: (version: number) => void
}) {
  const { latest } = props
  return (
    <Alert
      color="orange"
      variant="light"
      role="alert"
      icon={<GitMerge size={18} aria-hidden />}
      title="Someone else has saved this script"
    >
      <Stack gap="sm">
        <Text size="sm">
          Version {latest.version} was saved after you began. Your text is still in the editor below.
        </Text>
        <Accordion variant="contained" chevronPosition="left">
          <Accordion.Item value="theirs">
            <Accordion.Control>See version {latest.version}</Accordion.Control>
            <Accordion.Panel>
              <CodeBlock text={latest.script ?? ''} label={`Version ${latest.version}`} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
        <Group gap="xs">
          <Button variant="default" onClick={props.onUseLatest}>
            Take version {latest.version}, drop mine
          </Button>
          <Button color="orange" loading={props.isPending} onClick={() => props.onOverwrite(latest.version)}>
            Save mine over it
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
