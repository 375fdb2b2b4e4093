'use client'

import { Alert, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { mutation, type Output, query } from '../../client/api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

type Enrolment = Output<'organization.agents.enrol'>

/** Creates a token for another machine of an agent that exists. */
export function EnrolDialog({ slug, onClose }: { slug: string; onClose: () => void }) {
  const enrol = useMutation(mutation('organization.agents.enrol'))
  return (
    <Modal opened onClose={onClose} title="Enrol a machine" centered size="lg" closeOnClickOutside={!enrol.data}>
      {enrol.data ? (
        <EnrolmentSteps slug={slug} enrolment={enrol.data} onClose={onClose} />
      ) : (
        <Stack>
          <Text size="sm">
            The token lets one machine join this agent. It works once and expires after 15 minutes. The machine needs
            only Node and outbound HTTPS.
          </Text>
          <ProblemAlert error={enrol.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={enrol.isPending} onClick={() => enrol.mutate({ slug })} data-autofocus>
              Create token
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

/** The command with the token, which is shown once, and whether a machine has used it. */
export function EnrolmentSteps(props: { slug: string; enrolment: Enrolment; onClose: () => void }) {
  const { slug, enrolment, onClose } = props
  const [startedAt] = useState(() => Date.now())
  const agent = useQuery({ ...query('organization.agents.get', { slug }), refetchInterval: 2_000 })
  const left = useSecondsUntil(enrolment.expiresAt)
  const connected = agent.data?.processes.find((process) => Date.parse(process.startedAt) >= startedAt - 5_000)
  return (
    <Stack>
      <Alert variant="light" color="orange">
        Copy the command now. The token is not stored, and it cannot be shown again.
      </Alert>
      <CodeBlock text={enrolment.command} label="Command that starts the agent" wrap />
      <div role="status">
        {connected ? (
          <Text c="teal" fw={600}>
            Connected: {connected.host ?? 'a machine'}
          </Text>
        ) : left === 0 ? (
          <Text c="red">The token has expired. Create another one.</Text>
        ) : (
          <Group gap="xs">
            <Loader size="xs" aria-hidden />
            <Text size="sm">Waiting for the agent…</Text>
          </Group>
        )}
      </div>
      {!connected && left > 0 && (
        <Text size="sm" c="dimmed">
          Expires in {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}

/** Returns the seconds until an instant, counted down to 0. */
function useSecondsUntil(at: string): number {
  const secondsLeft = () => Math.max(0, Math.ceil((Date.parse(at) - Date.now()) / 1_000))
  const [left, setLeft] = useState(secondsLeft)
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((Date.parse(at) - Date.now()) / 1_000))), 1_000)
    return () => clearInterval(timer)
  }, [at])
  return left
}
