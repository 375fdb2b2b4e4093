'use client'

import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AgentState } from '#server/schemas/organization/agents.ts'
import { query } from '../../client/api.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { AffectedServices } from './affected-services.tsx'

/** Shows what stops before an agent is switched off. */
export function SwitchOffDialog({ agent, onClose }: { agent: AgentState; onClose: () => void }) {
  const services = useQuery(query('organization.agents.services', { slug: agent.slug }))
  const { form: _, ...operation } = useOperationForm({
    path: 'organization.agents.setActive',
    initialValues: { slug: agent.slug, isActive: false },
    onDone: onClose,
  })
  return (
    <FormDialog
      {...operation}
      title={`Switch off ${agent.label}`}
      submitLabel="Switch off"
      submitButton={{ color: 'red' }}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          {agent.isShared
            ? 'The agent is shared. It is switched off for your organization only.'
            : 'The agent takes no more runs. It keeps its keys, and you can switch it on again.'}
        </Text>
        <Loaded query={services} rows={2}>
          {(found) => (
            <AffectedServices
              services={found}
              without="its scheduled runs are skipped until it selects another agent"
            />
          )}
        </Loaded>
      </Stack>
    </FormDialog>
  )
}
