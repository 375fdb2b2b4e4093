'use client'

import { Anchor, Box, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from './link.tsx'

export type Crumb = { label: string; href: string }

/** The frame of every page: breadcrumbs, title and actions. */
export function PageFrame(props: {
  title: ReactNode
  crumbs?: Crumb[]
  intro?: ReactNode
  badges?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        {props.crumbs && props.crumbs.length > 0 && (
          <Box component="nav" aria-label="Breadcrumb">
            <Breadcrumbs
              separatorMargin={6}
              style={{ flexWrap: 'wrap', rowGap: 4 }}
              // The style of a breadcrumb itself is replaced.
              styles={{ breadcrumb: { whiteSpace: 'normal', overflowWrap: 'anywhere', minWidth: 0 } }}
            >
              {props.crumbs.map((crumb) => (
                <Anchor key={crumb.href} component={Link} href={crumb.href} size="sm" c="dimmed">
                  {crumb.label}
                </Anchor>
              ))}
            </Breadcrumbs>
          </Box>
        )}
        <Group justify="space-between" align="flex-start" gap="md">
          <Group gap="sm" align="center" miw={0}>
            <Title order={1} fz={{ base: 22, sm: 26 }} style={{ overflowWrap: 'anywhere' }}>
              {props.title}
            </Title>
            {props.badges}
          </Group>
          {props.actions && <Group gap="xs">{props.actions}</Group>}
        </Group>
        {props.intro && (
          <Text c="dimmed" maw={760}>
            {props.intro}
          </Text>
        )}
      </Stack>
      {props.children}
    </Stack>
  )
}
