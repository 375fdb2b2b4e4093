'use client'

import { Textarea } from '@mantine/core'
import { z } from 'zod'
import { INCIDENT_NOTE_MAX, IncidentNoteText } from '#server/schemas/alerts/incidents.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { FormFrame } from '../../../components/forms/form-frame.tsx'

/** Adds a note to an incident. */
export function NoteForm({ id }: { id: string }) {
  const { form, ...operation } = useOperationForm({
    path: 'incidents.addNote',
    schema: z.object({ text: IncidentNoteText }),
    initialValues: { text: '' },
    toInput: ({ text }) => ({ id, text }),
    onDone: (_, form) => form.reset(),
  })
  return (
    <FormFrame {...operation} submitLabel="Add note" submitButton={{ variant: 'default' }}>
      <Textarea
        label="Note"
        description="Everyone who can see the service can read it."
        autosize
        minRows={2}
        maxRows={12}
        maxLength={INCIDENT_NOTE_MAX}
        {...form.getInputProps('text')}
      />
    </FormFrame>
  )
}
