'use client'

import { Alert, Button, Group, MultiSelect, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '../../../../client/api.ts'
import { notify } from '../../../../client/notify.ts'
import { Section } from '../../../../components/layout/section.tsx'
import { Loaded } from '../../../../components/lists/loaded.tsx'
import { ProblemAlert } from '../../../../components/problem-alert.tsx'

export function AgentsSection({ serviceId, mayWrite }: { serviceId: string; mayWrite: boolean }) {
  const chosen = useQuery(query('services.agents.get', { id: serviceId }))
  return (
    <Section
      title="Agents"
      intro="The agents that run this service. If you select none, any shared agent that is for all services may run it. Other agents run only services that select them."
    >
      <Loaded query={chosen} rows={1}>
        {(slugs) => <AgentsForm key={slugs.join(' ')} serviceId={serviceId} slugs={slugs} mayWrite={mayWrite} />}
      </Loaded>
    </Section>
  )
}

function AgentsForm({ serviceId, slugs, mayWrite }: { serviceId: string; slugs: string[]; mayWrite: boolean }) {
  const [value, setValue] = useState(slugs)
  const agents = useQuery(query('agents.list'))
  const save = useMutation({
    ...mutation('services.agents.set'),
    onSuccess: () => notify({ color: 'teal', message: 'Agents saved.' }),
  })
  const active = agents.data ?? []
  // An agent that is no longer active stays selected until the member removes it.
  const inactive = slugs.filter((slug) => !active.some((agent) => agent.slug === slug))
  const data = [
    ...active.map((agent) => ({ value: agent.slug, label: `${agent.label} (${agent.slug})` })),
    ...inactive.map((slug) => ({ value: slug, label: `${slug}, inactive` })),
  ]
  const isDirty = [...value].sort().join() !== [...slugs].sort().join()
  return (
    <Stack>
      <ProblemAlert error={save.error} />
      <MultiSelect
        label="Agents"
        placeholder={value.length === 0 ? 'Any shared agent' : undefined}
        data={data}
        value={value}
        onChange={setValue}
        disabled={!mayWrite}
        searchable
        clearable
      />
      {agents.data && value.length === 0 && !active.some((agent) => agent.isOpen) && (
        <Alert variant="light" color="orange">
          No shared agent {active.some((agent) => agent.isShared) ? 'for all services ' : ''}is active, so no agent runs
          this service: its runs are skipped. Select agents.
        </Alert>
      )}
      {mayWrite && (
        <Group justify="flex-end">
          <Button
            variant="default"
            disabled={!isDirty}
            loading={save.isPending}
            onClick={() => save.mutate({ id: serviceId, slugs: value })}
          >
            Save agents
          </Button>
        </Group>
      )}
    </Stack>
  )
}
