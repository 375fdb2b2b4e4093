'use client'

import { Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { query } from '../../client/api.ts'
import { Instant } from '../../components/instant.tsx'
import { RowLink } from '../../components/layout/row-link.tsx'
import classes from './board.module.css'

/** Below the services: which scripts changed lately, and which certificates expire. */
export function ActivityPanel() {
  const { data } = useQuery(query('status.activity'))
  if (!data || data.scripts.length + data.certificates.length === 0) return null
  return (
    <aside className={classes.aside} aria-label="Changes and certificates">
      {data.certificates.length > 0 && (
        <Panel title="Expiring certificates">
          {data.certificates.map(({ serviceId, serviceName, host, daysLeft }) => (
            <li key={`${serviceId} ${host}`}>
              <RowLink href={`/services/${serviceId}`}>{serviceName}</RowLink>
              <Text size="xs" c="dimmed">
                {host}: {expiryText(daysLeft)}
              </Text>
            </li>
          ))}
        </Panel>
      )}
      {data.scripts.length > 0 && (
        <Panel title="Changed scripts">
          {data.scripts.map(({ serviceId, serviceName, version, by, at }) => (
            <li key={serviceId}>
              <RowLink href={`/services/${serviceId}/script`}>{serviceName}</RowLink>
              <Text size="xs" c="dimmed" component="div">
                Version {version} {by && `by ${by}, `}
                <Instant at={at} />
              </Text>
            </li>
          ))}
        </Panel>
      )}
    </aside>
  )
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Title order={2} fz="md">
          {title}
        </Title>
        <ul className={classes.entries}>{children}</ul>
      </Stack>
    </Paper>
  )
}

function expiryText(daysLeft: number): string {
  if (daysLeft <= 0) return 'expired'
  return daysLeft === 1 ? 'expires within a day' : `expires in ${daysLeft} days`
}
