'use client'

import { MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '../../client/api.ts'
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.tsx'
import { judgeAgents, planOf, type Selected } from './plan.ts'
import { undoOf } from './undo.ts'

/** Chooses the agents that run services. */
export function BulkAgentsDialog(props: BulkDialogProps<Selected>) {
  const { services } = props
  const [slugs, setSlugs] = useState<string[]>([])
  const agents = useQuery(query('agents.list'))
  return (
    <BulkDialog
      {...props}
      title="Change agents"
      plan={planOf(services, judgeAgents(slugs))}
      submitLabel="Change agents"
      done="changed"
      send={async () => {
        const result = await mutation('services.bulk.setAgents').mutationFn({
          ids: services.map(({ id }) => id),
          slugs,
        })
        return { result, undo: undoOf(result) }
      }}
    >
      <MultiSelect
        label="Agents"
        description="These replace the agents of each service."
        placeholder={slugs.length === 0 ? 'Any shared agent' : undefined}
        data={(agents.data ?? []).map(({ slug, label }) => ({ value: slug, label: `${label} (${slug})` }))}
        value={slugs}
        onChange={setSlugs}
        searchable
        clearable
        data-autofocus
      />
    </BulkDialog>
  )
}
