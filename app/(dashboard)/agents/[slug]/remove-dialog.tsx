'use client'

import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AgentServices, AgentState } from '#server/schemas/organization/agents.ts'
import { query } from '../../../client/api.ts'
import { hasPermission, useMe } from '../../../client/me.tsx'
import { notify } from '../../../client/notify.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { SelectField } from '../../../components/inputs/select-field.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { AffectedServices } from '../affected-services.tsx'

type Props = { agent: AgentState; onClose: () => void; onDone: () => void }

/** The value of the choice that lets services run anywhere. */
const ANY = ''

/** Shows what happens to the services that name the agent, and asks what those run on that name no other. */
export function RemoveDialog({ agent, onClose, onDone }: Props) {
  const services = useQuery(query('organization.agents.services', { slug: agent.slug }))
  const agents = useQuery(query('organization.agents.list'))
  const mayPlace = hasPermission(useMe(), 'workspaces', 'write')
  const others = (agents.data ?? []).filter(
    ({ slug, isActive, isShared }) => isActive && slug !== agent.slug && (isShared || mayPlace),
  )
  const { form, ...operation } = useOperationForm({
    path: 'organization.agents.remove',
    initialValues: { replaceWith: ANY },
    toInput: ({ replaceWith }) => ({ slug: agent.slug, replaceWith: replaceWith === ANY ? null : replaceWith }),
    onDone: ({ switchedOffTotal, switchedOff }) => {
      const names = switchedOff.map(({ name }) => name).join(', ')
      const message =
        switchedOffTotal === 0
          ? `Removed ${agent.label}.`
          : `Removed ${agent.label}. These services were switched off, because their scripts may not run on other agents: ${names}.`
      void notify({ message })
      onDone()
    },
  })
  const { replaceWith } = form.values
  const replacement = others.find(({ slug }) => slug === replaceWith)
  const without = replacement ? `will run on ${replacement.label}` : 'will run on any shared agent'
  return (
    <FormDialog
      {...operation}
      title={`Remove ${agent.label}`}
      submitLabel="Remove agent"
      submitButton={{ color: 'red', disabled: services.data === undefined }}
      onClose={onClose}
    >
      <Text size="sm">
        Its keys are revoked and its runs go to other agents. Its results are kept. You cannot restore a removed agent.
      </Text>
      <Loaded query={services} rows={2}>
        {(found) => (
          <Stack gap="sm">
            <AffectedServices services={found} without={without} />
            {found.onlyThis > 0 && (
              <>
                <SelectField
                  label={onlyText(found)}
                  options={[
                    { value: ANY, label: 'Any shared agent' },
                    ...others.map(({ slug, label }) => ({ value: slug, label })),
                  ]}
                  value={replaceWith}
                  onChange={(event) => form.setFieldValue('replaceWith', event.currentTarget.value)}
                />
                <Text size="sm" c="dimmed">
                  Services whose scripts may not run there, for example because they target a private network, are
                  switched off.
                </Text>
              </>
            )}
          </Stack>
        )}
      </Loaded>
    </FormDialog>
  )
}

function onlyText({ onlyThis }: AgentServices): string {
  return onlyThis === 1
    ? 'New agent for the service that uses only this agent'
    : `New agent for the ${onlyThis} services that use only this agent`
}
