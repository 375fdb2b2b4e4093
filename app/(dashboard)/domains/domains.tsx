'use client'

import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { Globe } from '../../components/icons.ts'
import { CreateButton } from '../../components/layout/create-button.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { DomainCard } from './domain-card.tsx'

const AddDomainDialog = lazyDialog(async () => (await import('./add-domain-dialog.tsx')).AddDomainDialog)

const FIRST = 'Add the domain of the site that you monitor, then verify it with a DNS record.'
const ASK = 'Ask the owner of the organization to add the domain of the site that you monitor.'

export function Domains() {
  const [isAdding, setAdding] = useState(false)
  const mayWrite = hasPermission(useMe(), 'domains', 'write')
  const domains = useQuery(query('organization.domains.list'))
  return (
    <PageFrame
      title="Domains"
      intro="Scripts that target a verified domain or its subdomains may make any number of calls, run every minute and use includes checks."
      actions={mayWrite && <CreateButton onClick={() => setAdding(true)}>Add domain</CreateButton>}
    >
      <Loaded query={domains}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon={Globe} title="No domains yet" description={mayWrite ? FIRST : ASK} />
          ) : (
            <Stack>
              {list.map((domain) => (
                <DomainCard key={domain.id} domain={domain} mayWrite={mayWrite} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      {isAdding && <AddDomainDialog onClose={() => setAdding(false)} />}
    </PageFrame>
  )
}
