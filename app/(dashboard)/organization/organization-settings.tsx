'use client'

import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { OwnershipSection } from './ownership-section.tsx'
import { RemovalSection } from './removal-section.tsx'
import { SettingsForm } from './settings-form.tsx'

export function OrganizationSettings() {
  const me = useMe()
  const settings = useQuery(query('organization.settings.get'))
  return (
    <PageFrame title="Organization settings">
      <Loaded query={settings}>
        {(settings) => (
          <Stack gap="lg" maw={820}>
            <SettingsForm settings={settings} mayWrite={hasPermission(me, 'settings', 'write')} />
            {me.isOwner && <OwnershipSection />}
            {me.isOwner && <RemovalSection name={settings.name} />}
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}
