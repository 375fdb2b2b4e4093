'use client'

import { Select } from '@mantine/core'
import type { ReactNode } from 'react'

/** Selects a time zone by its IANA name. `none` says which zone an empty value stands for. */
export function ZoneSelect(props: {
  none: string
  value?: string
  onChange: (zone: string) => void
  error?: ReactNode
}) {
  const { none, value = '', onChange, error } = props
  const named = new Set(['UTC', ...(value ? [value] : []), ...Intl.supportedValuesOf('timeZone')])
  named.delete(none)
  return (
    <Select
      label="Timezone"
      data={[{ value: '', label: none }, ...named]}
      value={value}
      onChange={(zone) => onChange(zone ?? '')}
      error={error}
      searchable
      allowDeselect={false}
    />
  )
}
