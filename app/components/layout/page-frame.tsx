'use client'

import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from './link.tsx'
import classes from './page-frame.module.css'

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
      <Stack gap={4}>
        {props.crumbs && props.crumbs.length > 0 && (
          <nav aria-label="Breadcrumb">
            <ol className={classes.crumbs}>
              {props.crumbs.map((crumb) => (
                <li key={crumb.href}>
                  <Anchor component={Link} href={crumb.href} size="sm" c="dimmed">
                    {crumb.label}
                  </Anchor>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <Group justify="space-between" align="flex-start" gap="md">
          <Group gap="sm" align="center" miw={0}>
            <Title order={1} style={{ overflowWrap: 'anywhere' }}>
              {props.title}
            </Title>
            {props.badges}
          </Group>
          {props.actions && <Group gap="xs">{props.actions}</Group>}
        </Group>
        {props.intro && (
          <Text size="sm" c="dimmed" maw={760}>
            {props.intro}
          </Text>
        )}
      </Stack>
      {props.children}
    </Stack>
  )
}
