'use client'

import { Code, TextInput } from '@mantine/core'
import { AgentCreate } from '#server/schemas/organization/agents.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormDialog } from '../../components/forms/form-dialog.tsx'

export function NewAgentDialog({ onClose }: { onClose: () => void }) {
  const { form, ...operation } = useOperationForm({
    path: 'organization.agents.create',
    schema: AgentCreate,
    initialValues: { slug: '', label: '' },
    errorFields: { already_exists: { field: 'slug', message: 'This slug is taken. Choose another.' } },
    onDone: onClose,
  })
  return (
    <FormDialog {...operation} title="New agent" submitLabel="Create agent" onClose={onClose}>
      <TextInput
        label="Label"
        description="The name of the location, such as Frankfurt."
        data-autofocus
        autoComplete="off"
        required
        {...form.getInputProps('label')}
      />
      <TextInput
        label="Slug"
        description={
          <>
            Start its workers with <Code>AGENT_SLUG={form.values.slug || 'slug'}</Code>
          </>
        }
        autoComplete="off"
        spellCheck={false}
        required
        {...form.getInputProps('slug')}
      />
    </FormDialog>
  )
}
