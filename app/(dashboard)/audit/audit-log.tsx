'use client'

<<<<<<< HEAD
import { Anchor, Badge, Code, Group, Stack, Tabs, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Output, query } from '../../client/api.ts'
import { useDateTimeText } from '../../components/instant.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { NoEntries } from '../../components/lists/no-entries.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { Table } from '../../components/lists/table.tsx'
=======
import { Tabs } from '@mantine/core'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import type { AuditAddress } from './audit-address.ts'
import { Changes } from './changes.tsx'
>>>>>>> d9e7e992550121b8d488965cc0f61a2796bc0f85
import { KeyUsage } from './key-usage.tsx'

export function AuditLog({ address }: { address: AuditAddress }) {
  return (
    <PageFrame
      title="Audit log"
      intro="Every change in the organization with the person who made it, and the requests of its API keys."
    >
      <Tabs defaultValue="changes" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="changes">Changes</Tabs.Tab>
          <Tabs.Tab value="requests">API requests</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="changes">
          <Changes address={address} />
        </Tabs.Panel>
        <Tabs.Panel value="requests">
          <KeyUsage />
        </Tabs.Panel>
      </Tabs>
    </PageFrame>
  )
}
