'use client'

import { Accordion, Alert, Button, Group, Stack, Text } from '@mantine/core'
import { GitMerge } from 'lucide-react'
import type { Service } from '#server/schemas/services.ts'
import { CodeBlock } from '../../../../components/code-block.tsx'

/** Shown when another member saved the script first. Shows that version and lets the member choose between the two. */
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
          Version {latest.version} was saved after you opened the script. Your changes are still in the editor below.
        </Text>
        <Accordion variant="contained" chevronPosition="left">
          <Accordion.Item value="theirs">
            <Accordion.Control>Show version {latest.version}</Accordion.Control>
            <Accordion.Panel>
              <CodeBlock text={latest.script ?? ''} label={`Version ${latest.version}`} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
        <Group gap="xs">
          <Button variant="default" onClick={props.onUseLatest}>
            Discard my changes and use version {latest.version}
          </Button>
          <Button color="orange" loading={props.isPending} onClick={() => props.onOverwrite(latest.version)}>
            Overwrite with my changes
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
