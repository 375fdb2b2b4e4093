'use client'

import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../../client/api.ts'
import { useResourceAccess } from '../../../../client/use-resource-access.ts'
import { Loaded } from '../../../../components/lists/loaded.tsx'
import { AgentsSection } from './agents-section.tsx'
import { AlertingSection } from './alerting-section.tsx'
import { CopySection } from './copy-section.tsx'
import { DeleteSection } from './delete-section.tsx'
import { ServiceForm } from './service-form.tsx'

export function SettingsView({ id }: { id: string }) {
  const service = useQuery(query('services.get', { id }))
  const { mayWrite } = useResourceAccess('service', id)
  return (
    <Loaded query={service}>
      {(service) => (
        <Stack gap="lg" maw={820}>
          <ServiceForm key={service.id} service={service} mayWrite={mayWrite} />
          <AlertingSection serviceId={id} mayWrite={mayWrite} />
          <AgentsSection serviceId={id} mayWrite={mayWrite} />
          {mayWrite && <CopySection service={service} />}
          {mayWrite && <DeleteSection service={service} />}
        </Stack>
      )}
    </Loaded>
  )
}
