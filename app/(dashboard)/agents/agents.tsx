'use client'

import { Badge, Button, Code, Group, Modal, Stack, Switch, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { AgentCreate, type AgentState } from '#server/schemas/organization/agents.ts'
import { mutation, query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { Instant } from '../../components/instant.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

export function Agents() {
  const mayWrite = hasPermission(useMe(), 'settings', 'write')
  const [isCreating, setCreating] = useState(false)
  const agents = useQuery({ ...query('organization.agents.list'), refetchInterval: 15_000 })
  const setActive = useMutation(mutation('organization.agents.setActive'))
  return (
    <PageFrame
      title="Agents"
      intro="The places probes run from. An agent is one or more worker processes started with its slug."
      actions={
        mayWrite && (
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
            New agent
          </Button>
        )
      }
    >
      <ProblemAlert error={setActive.error} />
      <Loaded query={agents}>
        {(list) => (
          <ListTable
            miw={640}
            head={
              <>
                <Table.Th>Agent</Table.Th>
                <Table.Th>Slug</Table.Th>
                <Table.Th>Workers</Table.Th>
                <Table.Th>Active</Table.Th>
              </>
            }
          >
            {list.map((agent) => (
              <Table.Tr key={agent.slug}>
                <Table.Td>
                  <Group gap="xs">
                    <Text size="sm" fw={500}>
                      {agent.label}
                    </Text>
                    {agent.isShared && (
                      <Badge size="sm" variant="default">
                        Shared
                      </Badge>
                    )}
                  </Group>
                </Table.Td>
                <Table.Td>
                  <Code>{agent.slug}</Code>
                </Table.Td>
                <Table.Td>
                  <Workers agent={agent} />
                </Table.Td>
                <Table.Td>
                  {mayWrite && !agent.isShared ? (
                    <Switch
                      aria-label={`${agent.label} is active`}
                      checked={agent.isActive}
                      onChange={(event) =>
                        setActive.mutate({ slug: agent.slug, isActive: event.currentTarget.checked })
                      }
                    />
                  ) : (
                    <Badge variant="light" color={agent.isActive ? 'teal' : 'gray'}>
                      {agent.isActive ? 'Active' : 'Not active'}
                    </Badge>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </ListTable>
        )}
      </Loaded>
      {isCreating && <NewAgentDialog onClose={() => setCreating(false)} />}
    </PageFrame>
  )
}

function Workers({ agent }: { agent: AgentState }) {
  if (agent.liveWorkers === 0) {
    return (
      <Text size="sm" c="dimmed">
        {agent.lastSeenAt ? (
          <>
            last seen <Instant at={agent.lastSeenAt} />
          </>
        ) : (
          'never seen'
        )}
      </Text>
    )
  }
  const stalled = agent.workers.filter((worker) => worker.isStalled).length
  return (
    <Stack gap={4} align="flex-start">
      <Group gap="xs">
        <Badge variant="light" color="teal">
          {agent.liveWorkers} live
        </Badge>
        {stalled > 0 && (
          <Badge variant="light" color="red">
            {stalled} not working
          </Badge>
        )}
      </Group>
      {agent.workers.map((worker) => (
        <Text key={worker.id} size="xs" c="dimmed">
          {worker.lastTakenAt ? (
            <>
              took {worker.lastTask === 'probe' ? 'a run' : 'a job'} <Instant at={worker.lastTakenAt} />
            </>
          ) : (
            'has taken nothing yet'
          )}
          {worker.isStalled && ', although runs wait'}
        </Text>
      ))}
    </Stack>
  )
}

function NewAgentDialog({ onClose }: { onClose: () => void }) {
  const { form, submit, isPending, error } = useOperationForm({
    path: 'organization.agents.create',
    schema: AgentCreate,
    initialValues: { slug: '', label: '' },
    onProblem: (problem, form) => {
      if (problem.code !== 'already_exists') return false
      form.setFieldError('slug', 'This slug is taken. Choose another.')
      return true
    },
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title="New agent" centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={error} />
          <TextInput
            label="Label"
            description="What people call the place, such as Frankfurt."
            data-autofocus
            autoComplete="off"
            required
            {...form.getInputProps('label')}
          />
          <TextInput
            label="Slug"
            description={
              <>
                Its workers are started with <Code>AGENT_SLUG={form.values.slug || 'slug'}</Code>
              </>
            }
            autoComplete="off"
            spellCheck={false}
            required
            {...form.getInputProps('slug')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Create agent
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
