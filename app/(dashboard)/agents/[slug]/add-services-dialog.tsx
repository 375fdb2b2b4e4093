'use client'

import { Text } from '@mantine/core'
import { notify } from '../../../client/notify.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import {
  type Choice,
  chosenServices,
  isChoiceComplete,
  NO_SERVICES,
  namedText,
  ServicesChoice,
} from '../services-choice.tsx'

/** Lets further services select an agent. */
export function AddServicesDialog({ slug, label, onClose }: { slug: string; label: string; onClose: () => void }) {
  const { form, ...operation } = useOperationForm({
    path: 'organization.agents.addServices',
    initialValues: { choice: { ...NO_SERVICES, use: 'project' } as Choice },
    toInput: ({ choice }) => ({ slug, ...chosenServices(choice) }),
    onDone: (named) => {
      void notify({ message: namedText(named) })
      onClose()
    },
  })
  const { choice } = form.values
  return (
    <FormDialog
      {...operation}
      title={`Add services to ${label}`}
      submitLabel="Add services"
      submitButton={{ disabled: !isChoiceComplete(choice) }}
      onClose={onClose}
    >
      <ServicesChoice
        label="Which services use this agent?"
        value={choice}
        onChange={(next) => form.setFieldValue('choice', next)}
        mayBeNone={false}
      />
      <Text size="sm" c="dimmed">
        They keep the agents that run them now. The agent receives their scripts and variables.
      </Text>
    </FormDialog>
  )
}
