'use client'

import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { canonicalZone, zonesToChoose } from '../../client/zone-choice.ts'

/** Selects a time zone by its IANA name. `none` says what an empty value stands for: a zone, or `noneZone` in words. */
export function ZoneSelect(props: {
  none: string
  noneZone?: string
  value?: string
  onChange: (zone: string) => void
  error?: ReactNode
}) {
  const { none, noneZone, value = '', onChange, error } = props
  const listed = noneZone ? canonicalZone(noneZone) : none
  const named = zonesToChoose(value ? [value] : [])
  // A value may name the same zone, which stays fixed when that of `none` changes.
  const others = named.filter((zone) => zone === value || zone !== listed)
  return (
    <Select
      label="Timezone"
      data={[{ value: '', label: none }, ...others]}
      value={value}
      onChange={(zone) => onChange(zone ?? '')}
      error={error}
      searchable
      allowDeselect={false}
    />
  )
}
