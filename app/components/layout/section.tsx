import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { HeadingLink } from './heading-link.tsx'

/** A part of a page with its own title. */
export function Section(props: {
  title: string
  /** The anchor of the title, which becomes a link to it. */
  anchor?: string
  intro?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  const ownId = useId()
  const id = props.anchor ?? ownId
  return (
    <Paper component="section" aria-labelledby={id} withBorder p={{ base: 'md', sm: 'lg' }}>
      <Stack>
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={2} maw={680}>
            <Title order={2} fz="lg" id={id}>
              {props.anchor ? <HeadingLink anchor={props.anchor}>{props.title}</HeadingLink> : props.title}
            </Title>
            {props.intro && (
              <Text size="sm" c="dimmed">
                {props.intro}
              </Text>
            )}
          </Stack>
          {props.actions}
        </Group>
        {props.children}
      </Stack>
    </Paper>
  )
}
