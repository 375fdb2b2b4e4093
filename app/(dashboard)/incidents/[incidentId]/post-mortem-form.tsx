import { Alert, Paper, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { POST_MORTEM_MAX, PostMortemText } from '#server/schemas/alerts/incident-changes.ts'
import type { IncidentDetails } from '#server/schemas/alerts/incidents.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { FormFrame } from '../../../components/forms/form-frame.tsx'
import { Segments } from '../../../components/inputs/segments.tsx'
import { LazyMemberMarkdown } from '../../../components/lazy-member-markdown.tsx'
import { NoEntries } from '../../../components/lists/no-entries.tsx'

const VIEWS = [
  { value: 'text', label: 'Text' },
  { value: 'preview', label: 'Preview' },
] as const

/** Writes the post-mortem of an incident, with a preview. An empty text removes it. */
export function PostMortemForm({ incident, onClose }: { incident: IncidentDetails; onClose: () => void }) {
  const { id, postMortem } = incident
  const [view, setView] = useState<'text' | 'preview'>('text')
  const [openedAt] = useState(postMortem?.updatedAt ?? null)
  const { form, ...operation } = useOperationForm({
    path: 'incidents.update',
    schema: z.object({ postMortem: PostMortemText }),
    initialValues: { postMortem: postMortem?.text ?? '' },
    toInput: (values) => ({ id, ...values }),
    onDone: onClose,
  })
  const text = form.values.postMortem
  return (
    <FormFrame {...operation} submitLabel="Save post-mortem" onCancel={onClose}>
      {openedAt !== (postMortem?.updatedAt ?? null) && (
        <Alert color="orange" title="The post-mortem was changed meanwhile">
          If you save, your text replaces the newer one.
        </Alert>
      )}
      <Stack gap="xs">
        <Segments label="View" options={VIEWS} value={view} onChange={setView} />
        {view === 'text' ? (
          <Textarea
            label="Text in Markdown"
            autosize
            minRows={8}
            maxRows={24}
            maxLength={POST_MORTEM_MAX}
            {...form.getInputProps('postMortem')}
          />
        ) : (
          <Paper withBorder p="md" role="region" aria-label="Preview">
            <Stack gap="sm">
              {text.trim() === '' ? <NoEntries>The text is empty.</NoEntries> : <LazyMemberMarkdown text={text} />}
            </Stack>
          </Paper>
        )}
      </Stack>
    </FormFrame>
  )
}
