'use client'

import { Code, Modal, Radio, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AgentCreate } from '#server/schemas/organization/agents.ts'
import { mutation, type Output } from '../../client/api.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import { RadioGroup } from '../../components/forms/radio-group.tsx'
import { EnrolmentSteps } from './enrol-dialog.tsx'

type Kind = 'remote' | 'in-house'
type Enrolled = { slug: string; enrolment: Output<'organization.agents.enrol'> }

/** Creates an agent. For a remote one, it also creates the token with which its first machine enrols. */
export function NewAgentDialog({ onClose }: { onClose: () => void }) {
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null)
  return (
    <Modal
      opened
      onClose={onClose}
      title={enrolled ? 'Start the agent' : 'New agent'}
      centered
      size="lg"
      closeOnClickOutside={enrolled === null}
    >
      {enrolled ? (
        <EnrolmentSteps {...enrolled} onClose={onClose} />
      ) : (
        <NewAgentForm onEnrolled={setEnrolled} onClose={onClose} />
      )}
    </Modal>
  )
}

function NewAgentForm({ onEnrolled, onClose }: { onEnrolled: (enrolled: Enrolled) => void; onClose: () => void }) {
  const [kind, setKind] = useState<Kind>('remote')
  const enrol = useMutation(mutation('organization.agents.enrol'))
  const { form, ...operation } = useOperationForm({
    path: 'organization.agents.create',
    schema: AgentCreate,
    initialValues: { slug: '', label: '' },
    errorFields: { already_exists: { field: 'slug', message: 'This slug is taken. Choose another.' } },
    onDone: ({ slug }) => {
      if (kind === 'in-house') onClose()
      else enrol.mutate({ slug }, { onSuccess: (enrolment) => onEnrolled({ slug, enrolment }) })
    },
  })
  return (
    <FormFrame
      {...operation}
      error={operation.error ?? enrol.error}
      isPending={operation.isPending || enrol.isPending}
      submitLabel="Create agent"
      onCancel={onClose}
    >
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
        description="The short name in requests and results."
        autoComplete="off"
        spellCheck={false}
        required
        {...form.getInputProps('slug')}
      />
      <RadioGroup label="Who runs it" value={kind} onChange={(value) => setKind(value as Kind)}>
        <Radio
          value="remote"
          label="Remote agent"
          description="In your own network. It needs outbound HTTPS, and neither the database nor its keys."
        />
        <Radio
          value="in-house"
          label="Worker of this installation"
          description={
            <>
              The operator starts it with <Code>AGENT_SLUG={form.values.slug || 'slug'}</Code>
            </>
          }
        />
      </RadioGroup>
    </FormFrame>
  )
}
