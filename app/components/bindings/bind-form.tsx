'use client'

import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResourceType } from '#server/schemas/scopes.ts'
import { mutation } from '../../client/api.ts'
import { useFoundWebhooks } from '../pickers/finders.ts'
import { type Found, SearchSelect } from '../pickers/search-select.tsx'
import { ProblemAlert } from '../problem-alert.tsx'

/** Binds a webhook to a resource. */
export function BindForm({ resourceType, resourceId }: { resourceType: ResourceType; resourceId: string }) {
  const [webhook, setWebhook] = useState<Found | null>(null)
  const bind = useMutation({ ...mutation('webhooks.bindings.create'), onSuccess: () => setWebhook(null) })
  return (
    <>
      <ProblemAlert error={bind.error} />
      <Group align="flex-end">
        <SearchSelect
          label="Bind a webhook"
          placeholder="Search by name"
          useFound={useFoundWebhooks}
          value={webhook}
          onChange={setWebhook}
          style={{ flex: 1 }}
        />
        <Button
          variant="default"
          disabled={webhook === null}
          loading={bind.isPending}
          onClick={() => webhook && bind.mutate({ resourceType, resourceId, webhookId: webhook.value })}
        >
          Bind
        </Button>
      </Group>
    </>
  )
}
