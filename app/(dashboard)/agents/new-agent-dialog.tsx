'use client'

import { Modal, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AgentCreate } from '#server/schemas/organization/agents.ts'
import { mutation, type Output } from '../../client/api.ts'
import { notify } from '../../client/notify.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import { EnrolmentSteps } from './enrol-dialog.tsx'
import { chosenServices, isChoiceComplete, NO_SERVICES, namedText, ServicesChoice } from './services-choice.tsx'

type Enrolled = { slug: string; enrolment: Output<'organization.agents.enrol'> }

/** Creates a remote agent, and the token with which its first machine enrols. */
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
  const enrol = useMutation(mutation('organization.agents.enrol'))
  const { form, ...operation } = useOperationForm({
    path: 'organization.agents.create',
    schema: AgentCreate.pick({ slug: true, label: true }),
    initialValues: { slug: '', label: '', choice: NO_SERVICES },
    toInput: ({ slug, label, choice }) => ({ slug, label, ...chosenServices(choice) }),
    errorFields: { already_exists: { field: 'slug', message: 'This slug is taken. Choose another.' } },
    onDone: ({ slug, services }) => {
      if (services.added + services.leftOutTotal > 0) void notify({ message: namedText(services) })
      enrol.mutate({ slug }, { onSuccess: (enrolment) => onEnrolled({ slug, enrolment }) })
    },
  })
  return (
    <FormFrame
      {...operation}
      error={operation.error ?? enrol.error}
      isPending={operation.isPending || enrol.isPending}
      submitLabel="Create agent"
      submitButton={{ disabled: !isChoiceComplete(form.values.choice) }}
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
        description="The short name in requests and results. It must differ from those of shared agents."
        autoComplete="off"
        spellCheck={false}
        required
        {...form.getInputProps('slug')}
      />
      <ServicesChoice
        label="Which services use it?"
        value={form.values.choice}
        onChange={(choice) => form.setFieldValue('choice', choice)}
        mayBeNone
      />
      <Text size="sm" c="dimmed">
        The agent runs in your own network. It runs only services that select it, and receives their scripts and
        variables. Services that you select here keep the agents that run them now.
      </Text>
    </FormFrame>
  )
}
