'use client'

import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { canonicalZone, zonesToChoose } from '../../client/zone-choice.ts'

/** Selects a time zone by its IANA name. An empty value stands for the zone `none`, which `noneLabel` names. */
export function ZoneSelect(props: {
  none: string
  noneLabel?: string
  value?: string
  onChange: (zone: string) => void
  error?: ReactNode
}) {
  const { none, noneLabel = none, value = '', onChange, error } = props
  const named = zonesToChoose(value ? [value] : [])
  // A value may name the same zone, which stays fixed when that of `none` changes.
  const others = named.filter((zone) => zone === value || zone !== canonicalZone(none))
  return (
    <Select
      label="Timezone"
      data={[{ value: '', label: noneLabel }, ...others]}
      value={value}
      onChange={(zone) => onChange(zone ?? '')}
      error={error}
      searchable
      allowDeselect={false}
    />
  )
}
