import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { IncidentDetails } from '#server/schemas/alerts/incidents.ts'
import { useDateTimeText } from '../../../components/instant.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { LazyMemberMarkdown } from '../../../components/lazy-member-markdown.tsx'
import { NoEntries } from '../../../components/lists/no-entries.tsx'
import { PostMortemForm } from './post-mortem-form.tsx'

/** What members learned from an incident. */
export function PostMortem({ incident, mayWrite }: { incident: IncidentDetails; mayWrite: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  const dateTimeText = useDateTimeText()
  const { postMortem } = incident
  return (
    <Section
      title="Post-mortem"
      intro="What happened, why, and what will prevent it. Everyone who can see the service can read it."
      actions={
        mayWrite &&
        !isOpen && (
          <Button variant="default" onClick={() => setIsOpen(true)}>
            {postMortem ? 'Edit post-mortem' : 'Write post-mortem'}
          </Button>
        )
      }
    >
      {isOpen ? (
        <PostMortemForm incident={incident} onClose={() => setIsOpen(false)} />
      ) : postMortem ? (
        <Stack gap="sm">
          <LazyMemberMarkdown text={postMortem.text} />
          <Text size="xs" c="dimmed">
            {postMortem.updatedBy.name},{' '}
            <time dateTime={postMortem.updatedAt}>{dateTimeText(postMortem.updatedAt)}</time>
          </Text>
        </Stack>
      ) : (
        <NoEntries>No post-mortem yet.</NoEntries>
      )}
    </Section>
  )
}
