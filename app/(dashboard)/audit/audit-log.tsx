'use client'

import { Tabs } from '@mantine/core'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import type { AuditAddress } from './audit-address.ts'
import { Changes } from './changes.tsx'
import { KeyUsage } from './key-usage.tsx'

export function AuditLog({ address }: { address: AuditAddress }) {
  return (
    <PageFrame
      title="Audit log"
      intro="Every change in the organization and who made it, and the requests made with API keys."
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
