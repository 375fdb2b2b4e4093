'use client'

import { TextInput } from '@mantine/core'
import { z } from 'zod'
import { Name } from '#server/schemas/conventions.ts'
import { AgentSlug, type AgentState } from '#server/schemas/organization/agents.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'

type Props = { agent: AgentState; onClose: () => void; onDone: (renamed: AgentState) => void }

export function RenameDialog({ agent, onClose, onDone }: Props) {
  const { slug } = agent
  const { form, ...operation } = useOperationForm({
    path: 'organization.agents.update',
    schema: z.object({ label: Name, newSlug: AgentSlug }),
    initialValues: { label: agent.label, newSlug: slug },
    toInput: (values) => ({ slug, ...values }),
    errorFields: { already_exists: { field: 'newSlug', message: 'This slug is taken. Choose another.' } },
    onDone: (renamed) => {
      if (renamed.slug !== slug) onDone(renamed)
      onClose()
    },
  })
  return (
    <FormDialog {...operation} title="Rename agent" submitLabel="Rename" onClose={onClose}>
      <TextInput label="Label" data-autofocus autoComplete="off" required {...form.getInputProps('label')} />
      <TextInput
        label="Slug"
        description="Stored results keep the old slug. Update scripts and files that use it."
        autoComplete="off"
        spellCheck={false}
        required
        {...form.getInputProps('newSlug')}
      />
    </FormDialog>
  )
}
