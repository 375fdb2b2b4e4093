'use client'

import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Globe } from 'lucide-react'
import { z } from 'zod'
import { DomainName } from '#server/schemas/organization/domains.ts'
import { query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { DomainCard } from './domain-card.tsx'

export function Domains() {
  const mayWrite = hasPermission(useMe(), 'domains', 'write')
  const domains = useQuery(query('organization.domains.list'))
  return (
    <PageFrame
      title="Domains"
      intro="Scripts that target a verified domain or its subdomains may make any number of calls, run every minute and use includes checks."
    >
      {mayWrite && <AddDomain />}
      <Loaded query={domains}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon={Globe} title="No domains yet" description="Add a domain, then verify it with a DNS record." />
          ) : (
            <Stack>
              {list.map((domain) => (
                <DomainCard key={domain.id} domain={domain} mayWrite={mayWrite} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </PageFrame>
  )
}

function AddDomain() {
  const { form, submit, isPending, error } = useOperationForm({
    path: 'organization.domains.add',
    schema: z.object({ domain: DomainName }),
    initialValues: { domain: '' },
    errorFields: { already_exists: { field: 'domain', message: 'This domain is already in the list.' } },
    onDone: (_, form) => form.reset(),
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs" maw={560}>
        <ProblemAlert error={error} />
        <Group align="flex-start">
          <TextInput
            label="Domain"
            placeholder="example.com"
            autoComplete="off"
            spellCheck={false}
            style={{ flex: 1 }}
            {...form.getInputProps('domain')}
          />
          <Button type="submit" mt={25} loading={isPending}>
            Add domain
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
