import { Alert, MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { query } from '../../../client/api.ts'

/** The agents that run the service. None for any that is open. */
export function AgentsField(props: { value?: string[]; onChange: (slugs: string[]) => void; error?: ReactNode }) {
  const { value = [] } = props
  const { data: agents } = useQuery(query('agents.list'))
  const isNowhere = agents !== undefined && value.length === 0 && !agents.some(({ isOpen }) => isOpen)
  return (
    <>
      <MultiSelect
        label="Agents"
        description="Where the service runs. With several, they take turns."
        placeholder={value.length === 0 ? 'Any shared agent' : undefined}
        data={(agents ?? []).map(({ slug, label }) => ({ value: slug, label: `${label} (${slug})` }))}
        value={value}
        onChange={props.onChange}
        error={props.error}
        searchable
        clearable
      />
      {isNowhere && (
        <Alert variant="light" color="orange">
          No shared agent is active for all services, so no agent runs this service. Select agents.
        </Alert>
      )}
    </>
  )
}
