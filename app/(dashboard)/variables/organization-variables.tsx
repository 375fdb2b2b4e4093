'use client'

import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { ScopeSection } from '../../components/variables/scope-section.tsx'

export function OrganizationVariables() {
  const me = useMe()
  const [page, setPage] = useState(1)
  const variables = useQuery(query('variables.organization.list', { page, pageSize: 100 }))
  return (
    <PageFrame title="Variables" intro="Every script in the organization can read these variables.">
      <Loaded query={variables}>
        {(list) => (
          <Stack>
            <ScopeSection
              title={me.organization.name}
              owner={{ scope: 'organization', id: me.organization.id }}
              prefix="$o."
              editable={hasPermission(me, 'settings', 'write')}
              mayReveal={hasPermission(me, 'settings', 'write')}
              variables={list.items}
            />
            <Pager page={list} onPage={setPage} />
          </Stack>
        )}
      </Loaded>
    </PageFrame>
  )
}
